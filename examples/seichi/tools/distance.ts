/** A place on earth, in degrees. */
export interface Place {
  readonly lat: number;
  readonly lng: number;
}

const earthRadiusKm = 6371.0088;
const toRadians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Measures the great-circle distance of two places in kilometres (haversine, mean radius of the earth). */
export function distanceKm(a: Place, b: Place): number {
  const [latA, latB] = [toRadians(a.lat), toRadians(b.lat)];
  const byLat = Math.sin((latB - latA) / 2) ** 2;
  const byLng = Math.sin(toRadians(b.lng - a.lng) / 2) ** 2;
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(byLat + Math.cos(latA) * Math.cos(latB) * byLng)));
}

/** Reads a place; undefined for what is none. Coordinates are rounded to six places, which is ten centimetres. */
export function toPlace(lat: unknown, lng: unknown): Place | undefined {
  const [north, east] = [toDegrees(lat, 90), toDegrees(lng, 180)];
  return north === undefined || east === undefined ? undefined : { lat: north, lng: east };
}

function toDegrees(value: unknown, most: number): number | undefined {
  const degrees = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof degrees === 'number' && Math.abs(degrees) <= most ? Math.round(degrees * 1e6) / 1e6 : undefined;
}
