import { describe, expect, it } from '@jest/globals'
import {
  type DescribedColumn,
  isOtherAreaName,
  isOtherCostName,
  kindRemarks,
  mapRoles,
  recognizeDataset,
  scaleOfName,
} from '../src/index.ts'

const text = (name: string, part: Partial<DescribedColumn> = {}): DescribedColumn => ({ name, type: 'string', ...part })
const number = (name: string, part: Partial<DescribedColumn> = {}): DescribedColumn => ({
  name,
  type: 'number',
  ...part,
})
const moment = (name: string): DescribedColumn => ({ name, type: 'timestamp', isDateOnly: false })
const date = (name: string): DescribedColumn => ({ name, type: 'timestamp', isDateOnly: true })

describe('kindRemarks', () => {
  it.each([
    [
      'a plan or work',
      [
        date('Date'),
        text('Employee'),
        text('Site'),
        text('Start', { examples: ['06:00'] }),
        text('End', { examples: ['14:00'] }),
      ],
      'plan_or_work',
    ],
    [
      'places that are taken or free',
      [moment('time'), text('sensor'), text('state', { examples: ['occupied', 'free'] })],
      'occupied_or_free',
    ],
    ['connected devices', [moment('time'), text('AP'), number('Clients')], 'counts_devices'],
    ['badge events', [moment('time'), text('Badge'), text('Reader')], undefined],
    [
      'bookings that a title says are cancelled',
      [moment('Start'), moment('End'), text('Room'), text('Subject')],
      'cancelled_by_title',
    ],
    ['costs of other periods', [text('Etage'), number('Plätze'), number('Nebenkosten/Monat')], 'costs_not_read'],
    ['teams in German', [text('Team'), number('Mitarbeitende', { examples: ['40'] }), text('Etage')], 'list_of_teams'],
    ['teams', [text('Team'), text('Floor'), number('Head count', { examples: ['12'] })], 'list_of_teams'],
  ] as const)('tells of %s', (_, columns, code) => {
    const valuesOf = () => ['Sync', 'Canceled: Sync']
    expect(kindRemarks(columns, recognizeDataset(columns), valuesOf)[0]?.code).toBe(code)
  })
})

/**
 * Tables and the roles of their columns, a case a line, or with further lines indented: dates begin with `%`, times
 * with `@`, numbers with `#`; `*` is the number of different values, and `=` begins examples.
 */
const recognized = `
  badge events in German :: @Zeitpunkt | #Ausweisnummer | Leser | Abteilung | Richtung = Kommen => badge_events ::
    person: Ausweisnummer | time: Zeitpunkt | space: Leser | team: Abteilung | direction: Richtung
  badge events with directions in a column of another name :: @Zeit | #Ausweis-Nr. | Tür | Buchung = Kommen; Gehen
    => badge_events :: person: Ausweis-Nr. | time: Zeit | space: Tür | direction: Buchung
  spaces in French :: Site | Étage | #Postes de travail | Fuseau horaire => spaces :: site: Site | floor: Étage |
    capacity: Postes de travail | timezone: Fuseau horaire
  spaces in Japanese :: 拠点 | ビル | フロア | #座席数 | 国 | タイムゾーン => spaces :: site: 拠点 | building: ビル | floor: フロア |
    capacity: 座席数 | country: 国 | timezone: タイムゾーン
  counts in Japanese :: @日時 | フロア | #人数 => counts :: time: 日時 | space: フロア | value: 人数
  badge events in English :: @Date | User ID | Location => badge_events :: person: User ID | time: Date |
    space: Location
  days of attendance :: %Datum | Personalnr | Standort | Etage => attendance_days :: person: Personalnr |
    date: Datum | space: Etage
  badge events on floors of several buildings :: @Date | User ID | Building | #Floor => badge_events ::
    person: User ID | time: Date | space: Floor | building: Building
  a directory of people :: Mitarbeiter | E-Mail | Abteilung | %Eintritt | %Austritt => people ::
    person: Mitarbeiter | team: Abteilung | from: Eintritt | until: Austritt
  bookings :: Raum | @Beginn | @Ende | Veranstalter | #Teilnehmer | Status => bookings :: space: Raum |
    start: Beginn | end: Ende | person: Veranstalter | attendees: Teilnehmer | cancelled: Status
  a list of floors with a column for each level :: Gebäude *2 = Haus Nord; Haus Süd | #Etage *3 | #Fläche (m²) |
    #Arbeitsplätze | #Miete => spaces :: building: Gebäude | floor: Etage | capacity: Arbeitsplätze |
    area_m2: Fläche (m²) | annual_cost: Miete
  a list of sites with their rooms, and their types :: Site | Building name | Room type | Room | #Seats
    => spaces :: site: Site | building: Building name | room: Room | capacity: Seats
  counts of people present :: @Zeit | Gebäude | #Personen => counts :: space: Gebäude | time: Zeit |
    value: Personen
  counts in two directions :: @timestamp | building | #arrivals | #departures => counts :: space: building |
    time: timestamp | in: arrivals | out: departures
  a list of spaces :: Bezeichnung | Art = Etage; Gebäude | #Arbeitsplätze | #Fläche => spaces ::
    name: Bezeichnung | external_id: Bezeichnung | kind: Art | capacity: Arbeitsplätze | area_m2: Fläche
  people counters that name entrances and exits :: space_name | @timestamp | #entrances | #exits | #occupancy
    => counts :: time: timestamp | space: space_name | value: occupancy
  counts beside facts of their spaces :: Floor | Space | Space Type | #Capacity | @Local Time | #Max People
    => counts :: time: Local Time | space: Space | value: Max People
  badge events with types of events :: @Time | Panel | Reader | #Badge ID | Event Type = Valid => badge_events ::
    time: Time | person: Badge ID | space: Reader
  badge events whose rows of refused people are left out :: @Time | #Card | Door |
    Result = Access Granted; Access Denied => badge_events :: time: Time | person: Card | space: Door |
    direction: Result
  badge events in Spanish :: @Fecha y hora | #Empleado | Puerta | Sentido = Entrada => badge_events ::
    time: Fecha y hora | person: Empleado | space: Puerta | direction: Sentido
  swipes with names of people beside their numbers :: Name | #Pers.-Nr. | %Datum | Terminal => attendance_days ::
    date: Datum | person: Pers.-Nr. | space: Terminal
  a directory with the moments of its records :: userPrincipalName | department | officeLocation | @createdDateTime
    => people :: person: userPrincipalName | team: department
  floors with the parts of their cost before the whole :: ID | Name | Kind | #Annual rent | #Annual cost |
    #Avoidable share => spaces :: external_id: ID | name: Name | kind: Kind | annual_cost: Annual cost |
    avoidable_share: Avoidable share
  badge events with the day beside the time :: %Datum | Uhrzeit = 08:30; 17:05 | Ausweis | Leser |
    Ergebnis = Zutritt gewährt; Zutritt verweigert => badge_events :: time: Uhrzeit | date: Datum |
    direction: Ergebnis | person: Ausweis | space: Leser
  bookings with a day and a duration :: %Date | Start time = 9:00 AM | #Duration (min) | Room => bookings ::
    start: Start time | duration: Duration (min) | date: Date | space: Room
  counts with a day and an hour :: %Datum | #Stunde = 8; 9 | Eingang | #Personen => counts :: time: Stunde |
    date: Datum | space: Eingang | value: Personen
  days at the office and at home :: %Date | Employee | Site | Status = Office; Home => attendance_days ::
    date: Date | status: Status | person: Employee | space: Site
  working times of employees at a site :: %Date | Employee ID | Location | Start = 08:00 | End = 17:00
    => attendance_days :: date: Date | person: Employee ID | space: Location
  bookings with a column of states :: Room | @Start | @End | Status = Bestätigt; No-Show; Storniert => bookings ::
    start: Start | end: End | space: Room | cancelled: Status | no_show: Status
  bookings of which some checked in :: Room | @Start | @End | Status = Booked; Checked In; Completed => bookings ::
    start: Start | end: End | space: Room | cancelled: Status | checked_in: Status
  days with states in an unknown language :: %Date | Employee | Site | Status *2 = Toimistolla; Etänä
    => attendance_days :: date: Date | status: Status | person: Employee | space: Site
  bookings with times of setup and of what was done :: Room | @Setup Start | @Start | @Meeting ended | @End
    => bookings :: start: Start | end: End | space: Room
  people of whom some have left :: Employee ID | Team | Status = Active; Terminated => people ::
    person: Employee ID | team: Team | active: Status
  hours of each day at a site :: %Date | Employee | Site | #Hours => attendance_days :: date: Date |
    status: Hours | person: Employee | space: Site
  times of entry beside floors :: %Date | Card No | First Entry = 08:00 | Floor => badge_events ::
    time: First Entry | date: Date | person: Card No | space: Floor
  rooms with names, ends and durations :: Room Name | @Start Time | @End Time | #Duration (min) => bookings ::
    start: Start Time | end: End Time | space: Room Name
  bookings with the day of the end :: %Start Date | Start Time = 9:00 AM | %End Date | End Time = 10:00 AM |
    Location => bookings :: start: Start Time | end: End Time | date: Start Date | end_date: End Date |
    space: Location
  bookings of an Exchange calendar in German :: %Beginnt am | Beginnt um = 09:00:00 | %Endet am | Endet um = 10:30:00 |
    Besprechungsressourcen | Eingecheckt = Ja; Nein => bookings :: start: Beginnt um | end: Endet um |
    date: Beginnt am | end_date: Endet am | space: Besprechungsressourcen | checked_in: Eingecheckt
  counts of counting points :: @Intervallbeginn | Zählstelle | #Eintritte | #Austritte => counts ::
    time: Intervallbeginn | space: Zählstelle | in: Eintritte | out: Austritte
  counts of floors under another name :: @Zeit | Messung = 1. OG; EG | #Eintritte | #Austritte => counts ::
    time: Zeit | space: Messung | in: Eintritte | out: Austritte
  days with a mark for those at the office :: %Datum | Mitarbeiter | Standort | Büro = ; x => attendance_days ::
    date: Datum | status: Büro | person: Mitarbeiter | space: Standort
  bookings with one column of times :: Room | %Date | Time = 09:00 - 10:00 Uhr | #Attendees => bookings ::
    start: Time | end: Time | date: Date | attendees: Attendees | space: Room
  bookings with times that are parts of a day :: Room | %Date | #Start = 0.604167 | #End = 0.604167 => bookings ::
    start: Start | end: End | date: Date | space: Room
  entrances and exits of intervals :: %Datum | Intervall = 08:00 bis 08:15 | Zone | #Ein | #Aus => counts ::
    time: Intervall | date: Datum | space: Zone | in: Ein | out: Aus
  halves of days at desks :: %Datum | Zeitraum = AM; Full day | Platz | Benutzer => attendance_days ::
    date: Datum | person: Benutzer | space: Platz
  parts of days at the office :: %Datum | Mitarbeiter | Standort | #Anwesend = 0,5; 1; 0 => attendance_days ::
    date: Datum | status: Anwesend | person: Mitarbeiter | space: Standort
  events of doors with names of actors :: @timestamp | actor_email | action | object_name => badge_events ::
    time: timestamp | person: actor_email | space: object_name
  visits with the time of leaving :: Email | Location | @Sign in time | @Sign out time => attendance_days ::
    date: Sign in time | person: Email | space: Location
  floors with an area in square feet :: ID | Name | Type | #Area (sqft) | #Capacity => spaces :: external_id: ID |
    name: Name | kind: Type | capacity: Capacity
  a journal of persons and doors :: @Date/Time | Primary Object Name | Secondary Object Name | #Card Number
    => badge_events :: time: Date/Time | person: Card Number | space: Secondary Object Name
  counts beside the temperatures of rooms :: @Zeit | #Raumtemperatur | Raum | #Personen => counts :: time: Zeit |
    space: Raum | value: Personen
  counts of a sheet for each floor :: @Zeit | #Personen | Sheet = EG; 1. OG => counts :: time: Zeit |
    space: Sheet | value: Personen
  a list of rooms of several kinds :: Room Name *9 | Floor | Building | Space Type = Office; Meeting | #Capacity
    => spaces :: building: Building | floor: Floor | room: Room Name | capacity: Capacity
  a list of numbered floors :: Floor *9 = Floor 1; Floor 2 | #Desks => spaces :: floor: Floor | capacity: Desks
  people with full-time equivalents :: Name *9 | Team | #FTE = 0.8; 1 => people :: person: Name | team: Team
`

const cases = recognized
  .trim()
  .replaceAll(/\n {4}/g, ' ')
  .split('\n')
  .map((line) => {
    const [name = '', columns = '', kind = '', roles = ''] = line.split(/ (?:::|=>) /).map((part) => part.trim())
    const mapping = Object.fromEntries(roles.split(' | ').map((role) => role.split(/: (.*)/s).slice(0, 2)))
    return { name, columns: columns.split(' | ').map(parseColumn), kind, mapping }
  })

function parseColumn(written: string): DescribedColumn {
  const [, mark = '', name = '', distinct, examples] = /^([@%#]?)(.*?)(?: \*(\d+))?(?: = (.*))?$/.exec(written) ?? []
  return {
    ...(mark === '@' ? moment(name) : mark === '%' ? date(name) : mark === '#' ? number(name) : text(name)),
    ...(distinct === undefined ? {} : { distinct: Number(distinct) }),
    ...(examples === undefined ? {} : { examples: examples.split('; ') }),
  }
}

describe('the kind of a table', () => {
  it.each(['Main Building', 'Marketing', 'Marienplatz', 'Octagon', 'Novotel', 'Décathlon', 'Junction'])(
    'is counts when a sheet is named %s',
    (name) => {
      const columns = [moment('Time'), number('People'), text('Sheet', { examples: ['North', name] })]
      expect(recognizeDataset(columns)).toMatchObject({ kind: 'counts', mapping: { space: 'Sheet' } })
    },
  )

  it.each([
    ['People', {}],
    ['Occupancy', { largest: 3.5 }],
  ])('is counts when the first values of %s are averages below one', (name, part) => {
    const columns = [moment('Time'), text('Room'), number(name, { examples: ['0', '0.2', '0.5'], ...part })]
    expect(recognizeDataset(columns)).toMatchObject({ kind: 'counts', mapping: { value: name } })
  })

  it.each(cases)('is recognized in $name', ({ columns, kind, mapping }) => {
    expect(recognizeDataset(columns)).toEqual({ kind, mapping })
  })

  it.each([
    ['numbers over time without a place', [moment('time'), number('people')]],
    ['passages over a line', [moment('From'), moment('To'), text('Sensor'), number('FW'), number('BW')]],
    ['answers of a form', [moment('Start time'), text('Email'), text('In which office will you be?')]],
    ['counts of a sheet for a month', [moment('Zeit'), number('Personen'), text('Sheet', { examples: ['Mrz'] })]],
    ['counts of sheets for months', [moment('Zeit'), number('Personen'), text('Sheet', { examples: ['Februar 26'] })]],
    ['shares of places', [moment('Time'), text('Floor'), number('Occupancy', { examples: ['0', '0.25'] })]],
    [
      'leave',
      [date('Von'), date('Bis'), text('Mitarbeiter'), text('Status', { examples: ['Genehmigt'] }), text('Site')],
    ],
    ['arrivals alone, which are not people present', [moment('time'), text('building'), number('arrivals')]],
    ['people counted beside the names of hosts', [moment('Zeit'), text('Raum'), text('Name'), number('Eintritte')]],
    ['bookings, whose organizers need not come', [date('Start Date'), text('Location'), text('Meeting Organizer')]],
    ['a directory with the days of hiring', [text('Employee'), text('Location'), date('Hire Date')]],
    [
      'associations of devices with access points',
      [moment('Time'), text('Client MAC'), text('AP Name'), text('Building')],
    ],
    [
      'days with marks of work at home',
      [date('Date'), text('Employee'), text('Site'), text('Remote', { examples: ['yes', 'no'] })],
    ],
    [
      'a list of absences',
      [text('Employee'), text('Team'), text('Type', { examples: ['Vacation', 'Sick'] }), date('From'), date('Until')],
    ],
    ['shares of the places of a floor', [moment('Time'), text('Floor'), number('Occupancy rate')]],
    ['per cent of a floor', [moment('Time'), text('Floor'), { ...number('Occupancy'), examples: ['45%', '7%'] }]],
    ['numbers of users', [moment('Time'), text('Zone'), { ...number('Users'), examples: ['7', '45'] }]],
    ['several statistics of people', [moment('Time'), text('Zone'), number('Min people'), number('Max people')]],
    ['a plan of shifts', [date('Date'), text('Employee'), text('Site'), text('Shift', { examples: ['Night'] })]],
    ['a table of something else', [text('Artikel'), number('Preis')]],
  ])('is unknown in %s', (_, columns) => {
    expect(recognizeDataset(columns)).toBeNull()
  })

  it.each([
    ['has more rows than its places have names', [text('Building', { distinct: 2 }), number('Seats')]],
    ['has only numbers of floors', [text('Building size'), number('Floors'), number('Seats')]],
    ['has floors with a day in each row', [text('Floor'), number('Seats'), date('Day')]],
    ['has rooms without what they are in', [text('Room'), number('Seats')]],
    ['has a moment in each row', [text('Building'), text('Floor'), number('Seats'), moment('Time')]],
    ['says nothing of its places', [text('Building'), text('Floor'), text('Note')]],
  ])('is not a list of spaces by level when it %s', (_, columns) => {
    expect(recognizeDataset(columns, 6)).toBeNull()
  })

  it('is a list of spaces by level when it has the floors of one building', () => {
    const columns = [text('Etage', { distinct: 6 }), number('Arbeitsplätze')]
    expect(recognizeDataset(columns, 6)).toEqual({
      kind: 'spaces',
      mapping: { floor: 'Etage', capacity: 'Arbeitsplätze' },
    })
  })

  it('is a list of spaces by level when one of its rows is there twice', () => {
    const columns = [text('Building', { distinct: 2 }), text('Floor', { distinct: 3 }), number('Seats')]
    expect([recognizeDataset(columns, 7)?.kind, recognizeDataset(columns, 8)]).toEqual(['spaces', null])
  })

  it('is not a list of people when each of them has many rows', () => {
    const columns = [text('Ausweis', { distinct: 3 }), text('Team'), date('Tag')]
    expect(recognizeDataset(columns, 3)?.kind).toBe('people')
    expect(recognizeDataset(columns, 300)).toBeNull()
  })

  it('is not a list of people when it is one of teams', () => {
    const columns = [text('Team ID', { distinct: 40 }), text('Name', { distinct: 40 }), text('Parent ID')]
    expect(recognizeDataset(columns, 40)).toBeNull()
    const people = [text('Team', { distinct: 12 }), text('Name', { distinct: 40 })]
    expect(recognizeDataset(people, 40)?.kind).toBe('people')
  })
})

it('is not attendance when each person has one row and a date of their own', () => {
  const columns = [text('Employee', { distinct: 60 }), text('Site'), { ...date('Since'), distinct: 40 }]
  expect([recognizeDataset(columns, 60), recognizeDataset(columns, 600)?.kind]).toEqual([null, 'attendance_days'])
})

describe('the status of days of attendance', () => {
  it.each([
    ['is that of office and home', 'Status', ['Office', 'Home', 'Client'], 'Status'],
    ['is that of present and absent', 'Status', ['present', 'absent'], 'Status'],
    ['is a mark of presence', 'Present', ['yes', 'no'], 'Present'],
    ['is no mark of something else', 'Parking', ['yes', 'no'], undefined],
    ['is no mark of work at home', 'Home office', ['yes', 'no'], undefined],
    ['is no place beside home', 'Area', ['Berlin', 'Home'], undefined],
  ])('%s', (_, name, examples, expected) => {
    const columns = [date('Date'), text('Employee'), text('Site'), text(name, { examples })]
    expect(mapRoles(columns, 'attendance_days').status).toBe(expected)
  })

  it('is the place when there is no other', () => {
    const columns = [date('Date'), text('Employee'), text('Location', { examples: ['Office', 'Home'] })]
    expect(mapRoles(columns, 'attendance_days')).toMatchObject({ space: 'Location' })
  })
})

describe('the columns of roles', () => {
  it('take the reader, not the card that it reads, and the place with several values', () => {
    const columns = [
      moment('Zeit'),
      text('Kartennr'),
      text('Kartenleser', { distinct: 1 }),
      text('Etage', { distinct: 4 }),
    ]
    expect(mapRoles(columns, 'badge_events')).toMatchObject({ person: 'Kartennr', space: 'Etage' })
  })

  it('take the direction from readers that differ by it', () => {
    const rolesOf = (...examples: string[]) =>
      mapRoles([moment('Time'), number('Badge'), text('Reader', { examples })], 'badge_events')
    expect(rolesOf('Door 2 IN', 'Door 2 OUT', 'Gate')).toMatchObject({ space: 'Reader', direction: 'Reader' })
    expect(rolesOf('Main entry', 'Rear exit', 'Gate')).not.toHaveProperty('direction')
  })

  it.each([
    ...['Kosten €/m²', 'Rent per sqm p.a.', 'Monatsmiete', 'Rent p.m.', 'Cost per desk'],
    ...['Monatsmiete (Jahr 2026)', 'Average annual rent per month', 'Kosten je Platz', 'Miete/Platz', 'Rent (EUR/mo)'],
    ...'Rent Jan 2026|Cost Jan-Mar 2026|Cost 2024-2026|Miete Mai|Kosten einmalig|Fit-out cost|Rent $/sf'.split('|'),
    ...'Miete Tag|Loyer par trimestre|Rent per hour|Half-year rent|Rent 5 years|Cost YTD|Annual cost H1|10 years annual cost|Miete 月額'.split(
      '|',
    ),
  ])('leave out a cost that is not that of a year: %s', (name) => {
    const columns = [text('Building'), text('Floor'), number('Seats'), number(name)]
    expect(mapRoles(columns, 'spaces')).toEqual({ building: 'Building', floor: 'Floor', capacity: 'Seats' })
    expect(['Tagesmiete', 'Wochenmiete', 'Halbjahresmiete', name].filter((one) => !isOtherCostName(one))).toEqual([])
  })

  it.each([
    ['Rent 12 months', 'Fläche m² (HA)'],
    ['Jahresmiete (12 Monate)', 'Area sqm'],
    ['Annual rent (paid monthly)', 'Area'],
    ['Annual cost PM team', 'Area'],
    ['Annual cost (lease 10 years)', 'Area'],
    ['Jahresmiete (Laufzeit 5 Jahre)', 'Area'],
    ['Annual rent H1 building', 'Area'],
    ['Jahresmiete Haus H2', 'Area'],
    ['Annual cost Q1 site', 'Area'],
    ['Cost Jan - Dec 2026', 'Area'],
    ['Miete 2025/2026', 'Area'],
    ['Miete ab Januar 2026', 'Area'],
  ])('have a cost of a year and an area in square metres when they are %s and %s', (cost, area) => {
    const columns = [text('Building'), text('Floor'), number('Seats'), number(cost), number(area)]
    expect(mapRoles(columns, 'spaces')).toMatchObject({ annual_cost: cost, area_m2: area })
    expect([isOtherCostName(cost), isOtherAreaName(area), isOtherAreaName('Area (ha)')]).toEqual([false, false, true])
  })

  it.each([
    [1_000, 'Cost (TEUR)|Rent ($k)|Kosten Tsd. €|Cost (KEUR)|TSD EUR|Kosten in tsd. Euro|COST (THOUSANDS)|Cost €000'],
    [
      1_000,
      "annual_cost_keur|Cost in 1000 EUR|Kosten (1.000 €)|Cost (000 EUR)|Cost £'000|Cost (T CHF)|Thousands of EUR",
    ],
    [
      1_000_000,
      'Cost m€|Cost €m|Kosten (Mio. €)|Cost MEUR|Cost (million GBP)|Kosten Mill. EUR|Rent (USDm)|Rent EURmn|Cost mnEUR|Cost M EUR',
    ],
    [1, 'Miete Mill Street|Cost Millennium House|ANNUAL COST M|AVG M|SUM k|Cost Thousand Oaks|Rent €/m²|Cost EUR'],
    [1, 'Cost (EUR) Main|Kosten € M²|Cost 2000 EUR|Kosten 10.000 €|Rent EUR Milan|Cost market EUR|COST ATM EUR'],
    [
      1_000,
      'rentKeur|Cost in €1000s|CHF 1000|Kosten TDKK|Omkostning (tkr)|Coste (miles de €)|Costo (migliaia €)|Cost (k)',
    ],
    [1, 'Cost MALL|Miete EUR M1|Cost ALL M|Cost KM|Rent miles|COST TRY|Annual cost M&E'],
  ])('have the scale %d when a name states it', (scale, names) => {
    expect(names.split('|').map((name) => [name, scaleOfName(name)])).toEqual(
      names.split('|').map((name) => [name, scale]),
    )
  })

  it.each([
    ['Employee ID', 'Department', 'Hire Date', 'Termination Date'],
    ['Matricule', 'Service', "Date d'entrée", 'Date de sortie'],
    ['Persona', 'Departamento', 'Fecha alta', 'Fecha baja'],
  ])('are those of a directory with %s', (person, team, from, until) => {
    const columns = [text(person), text(team), date(from), date(until)]
    expect(mapRoles(columns, 'people')).toEqual({ person, team, from, until })
  })

  it('are a day and a time of day when columns of days are known by their values alone', () => {
    const day = (name: string) => ({ name, type: 'timestamp', examples: ['13 Jul 2026'] })
    const clock = (name: string) => text(name, { examples: ['09:00:00'] })
    const columns = [day('Beginnt am'), clock('Beginnt um'), day('Endet am'), clock('Endet um'), text('Raum')]
    expect(mapRoles(columns, 'bookings')).toMatchObject({ start: 'Beginnt um', end: 'Endet um', end_date: 'Endet am' })
  })

  it('take marks of use that were read as numbers', () => {
    const columns = [text('Room'), moment('Start'), moment('End'), number('Checked in', { examples: ['1', '0'] })]
    expect(mapRoles(columns, 'bookings')).toMatchObject({ checked_in: 'Checked in' })
  })

  it('leave out a direction whose words are others', () => {
    const columns = [moment('Zeit'), text('Ausweis'), text('Tür'), text('Ereignis', { examples: ['Verweigert'] })]
    expect(mapRoles(columns, 'badge_events').direction).toBeUndefined()
  })

  it('take a direction by its name when no values may be seen', () => {
    const columns = [moment('Zeit'), text('Ausweis'), text('Tür'), text('Ereignis'), text('Typ')]
    expect(mapRoles(columns, 'badge_events').direction).toBe('Ereignis')
  })

  it('are those that can be told when the kind is chosen by a person', () => {
    expect(mapRoles([text('Etage'), date('Datum')], 'attendance_days')).toEqual({ space: 'Etage', date: 'Datum' })
  })
})
