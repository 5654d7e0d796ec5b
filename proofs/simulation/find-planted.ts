export async function findPlanted(): Promise<number> {
  return 0;
}
