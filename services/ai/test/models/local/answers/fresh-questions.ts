import { type MemorySource, rowsOf } from './memory-tools.ts'
import { none, right, type TestQuestion } from './test-question.ts'

const crossings = `
  crossing,vessel,route,departed_at,passengers,cars,delay_minutes,wind_knots,weather,captain
  C1,Aurora,Kiel Oslo,2026-10-01T08:00:00Z,420,110,0,12,calm,Hanne Vik
  C2,Aurora,Kiel Oslo,2026-10-03T08:00:00Z,380,95,25,28,storm,Hanne Vik
  C3,Borea,Kiel Oslo,2026-10-05T08:00:00Z,510,140,5,15,calm,Per Dahl
  C4,Borea,Rostock Malmo,2026-10-08T18:00:00Z,150,60,0,9,fog,Per Dahl
  C5,Castor,Rostock Malmo,2026-10-09T18:00:00Z,90,45,60,31,storm,Lea Fink
  C6,Castor,Rostock Malmo,2026-10-12T18:00:00Z,210,70,10,14,calm,Lea Fink
  C7,Aurora,Rostock Malmo,2026-09-28T18:00:00Z,300,80,0,11,fog,Hanne Vik`

const vans = `
  plate,model,depot,driver,fuel,mileage_km,load_kg,inspected_on,leased
  HB-1,Sprinter,Bremen,Omar Said,diesel,82000,1200,2026-05-04,true
  HB-2,Sprinter,Bremen,Rita Blum,diesel,40500,1200,2026-09-18,false
  HB-3,E-Vito,Bremen,,electric,9000,800,2026-10-02,true
  KS-1,Transit,Kassel,Udo Kern,diesel,120300,1000,2025-11-20,false
  KS-2,E-Transit,Kassel,Mia Lux,electric,15200,950,2026-07-07,true`

const pool = `# Rules of the swimming pool

## Lanes
Lane 1 is reserved for the swimming club on Mondays and Thursdays. Fins are allowed in lane 6 only.

## Children
Children under 8 years need an adult in the water. The slide is open from 14:00 to 18:00.

## Tickets
A ticket is valid for three hours. Each further hour costs EUR 1.50. Season tickets are not transferable.`

/** Two tables and a text that were made for these questions. */
export const freshSources: MemorySource[] = [
  { name: 'Ferry crossings', rows: rowsOf(crossings) },
  { name: 'Delivery vans', rows: rowsOf(vans) },
  { name: 'Pool rules', titleField: 'title', rows: [{ title: 'Pool rules', text: pool }] },
]

/** Questions of other domains than those the rules were written with. Some with an answer are refused. */
export const freshQuestions: TestQuestion[] = [
  right('How many passengers did Aurora carry?', '1100'),
  right('Total cars on the Kiel Oslo route', '345'),
  right('What is the median of passengers?', 'median of passengers is 300 '),
  right('Median delay per route', 'Kiel Oslo: 5', 'Rostock Malmo: 5'),
  right('Wie hoch ist der Median der Autos?', 'Der Median von cars ist 80 '),
  right('Which route has the highest median of cars?', 'Kiel Oslo', '110'),
  none('Median and average delay', 'two computations'),
  none('How many passengers did Arora carry?', 'Did you mean “Aurora”?'),
  none('Total passangers on the Kiel Oslo route', 'Did you mean “passengers”?'),
  right('What was the average delay in a storm?', '42.5'),
  right('Which vessel had the longest delay?', 'Castor', '60'),
  right('Which captain carried the most passengers?', 'Hanne Vik', '1100'),
  right('How many crossings left without delay?', 'count is 3 '),
  right('How many crossings were delayed by more than 20 minutes?', 'count is 2 '),
  right('How many crossings were there last week?', 'count is 3 '),
  right('Passengers per route', 'Kiel Oslo: 1310', 'Rostock Malmo: 750'),
  right('What share of crossings was in fog?', '28.6 %'),
  right('Who was the captain of C5?', 'Lea Fink'),
  right('When did C4 depart?', '2026-10-08'),
  right('Show crossings with wind above 25 knots', '2 records', 'C2', 'C5'),
  right('How many crossings did Castor make in October?', 'count is 2 '),
  right('How many crossings were not calm?', 'count is 4 '),
  right('Which crossing had the fewest passengers?', 'C5', '90'),
  right('What is the highest wind in calm weather?', 'is 15 '),
  right('How many different captains are there?', '3 different'),
  right('Average number of cars per crossing', '85.71'),
  right('How many crossings did neither Aurora nor Borea make?', 'count is 2 '),
  none('How many passengers per car were there on C3?', 'per car'),
  none('Which crossing was cancelled?'),
  none('What did the crossings earn?'),
  none('How many passengers missed the ferry?'),
  none('Why was C5 late?'),
  right('How many vans are electric?', 'count is 2 '),
  right('Which van has the highest mileage?', 'KS-1', '120300'),
  right('Who drives HB-2?', 'Rita Blum'),
  right('How many vans in Bremen are leased?', 'count is 2 '),
  right('How many vans have no driver?', 'count is 1 '),
  right('Average load of diesel vans', '1133.33'),
  right('Which vans were inspected before July 2026?', 'HB-1', 'KS-1'),
  right('Wie viele Fahrzeuge stehen in Kassel?', 'ist 2 '),
  right('Which depot has the most vans?', 'Bremen', '3'),
  none('Which vans are due for inspection?'),
  none('Which driver is the fastest?'),
  right('How long is a ticket valid?', 'three hours'),
  right('Where are fins allowed?', 'lane 6'),
  right('When is the slide open?', '14:00 to 18:00'),
  none('How deep is the pool?'),
]
