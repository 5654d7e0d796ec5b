// Task: "Book flight, hotel and car. A new try goes on where the last one stopped. Without a hotel the flight is given back."
import { defineTool } from 'toolpact';
import { z } from 'zod';

/** Stands in for the three services. */
export const services = {
  log: [] as string[],
  hasRoom: true,
  carDeskAnswers: true,
};

export const bookTrip = defineTool({
  name: 'book_trip',
  description: 'Books flight, hotel and car of a trip.',
  input: z.object({ trip: z.string().describe('The id of the trip, for example T-1.') }),
  output: z.object({ flight: z.string(), hotel: z.string(), car: z.string() }),
  effects: 'writes',
  steps: true,
  idempotency: { key: ({ trip }) => trip },
  failures: { hotel_full: 'conflict' },
  examples: [{ input: { trip: 'T-1' } }],
  async run({ trip }, { step, fail }) {
    const book = (what: string) => {
      services.log.push(`${what} ${trip}`);
      return `${what} of ${trip}`;
    };
    const flight = await step('flight', () => book('flight'));
    const hotel = await step('hotel', () => (services.hasRoom ? book('hotel') : null));
    if (hotel === null) {
      await step('cancel flight', () => void services.log.push(`flight ${trip} cancelled`));
      throw fail('hotel_full', 'No hotel is free. The flight was cancelled.');
    }
    const car = await step('car', () => {
      if (!services.carDeskAnswers) throw fail('unreachable', 'The car desk does not answer.', { effect: 'none' });
      return book('car');
    });
    return { flight, hotel, car };
  },
});
