import { createToolbox, toModelText } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { bookTrip, services } from './tools.ts';

const toolbox = createToolbox([bookTrip], { store: memoryStore(), report: () => undefined });
services.carDeskAnswers = false;
console.log(toModelText(await toolbox.call('book_trip', { trip: 'T-1' })));
services.carDeskAnswers = true;
console.log((await toolbox.call('book_trip', { trip: 'T-1' })).status);
console.log(services.log.splice(0).join(', '));

services.hasRoom = false;
console.log(toModelText(await toolbox.call('book_trip', { trip: 'T-2' })));
services.hasRoom = true;
console.log((await toolbox.call('book_trip', { trip: 'T-2' })).status);
console.log(services.log.join(', '));
