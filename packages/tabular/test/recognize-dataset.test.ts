import { describe, expect, it } from '@jest/globals'
import { type DescribedColumn, kindRemarks, mapRoles, recognizeDataset } from '../src/index.ts'

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
  ] as const)('tells of %s', (_, columns, code) => {
    const valuesOf = () => ['Sync', 'Canceled: Sync']
    expect(kindRemarks(columns, recognizeDataset(columns), valuesOf)[0]?.code).toBe(code)
  })
})

describe('the kind of a table', () => {
  it.each([
    [
      'badge events in German',
      [
        moment('Zeitpunkt'),
        number('Ausweisnummer'),
        text('Leser'),
        text('Abteilung'),
        text('Richtung', { examples: ['Kommen'] }),
      ],
      'badge_events',
      { person: 'Ausweisnummer', time: 'Zeitpunkt', space: 'Leser', team: 'Abteilung', direction: 'Richtung' },
    ],
    [
      'badge events with directions in a column of another name',
      [moment('Zeit'), number('Ausweis-Nr.'), text('Tür'), text('Buchung', { examples: ['Kommen', 'Gehen'] })],
      'badge_events',
      { person: 'Ausweis-Nr.', time: 'Zeit', space: 'Tür', direction: 'Buchung' },
    ],
    [
      'spaces in French',
      [text('Site'), text('Étage'), number('Postes de travail'), text('Fuseau horaire')],
      'spaces',
      { site: 'Site', floor: 'Étage', capacity: 'Postes de travail', timezone: 'Fuseau horaire' },
    ],
    [
      'spaces in Japanese',
      [text('拠点'), text('ビル'), text('フロア'), number('座席数'), text('国'), text('タイムゾーン')],
      'spaces',
      { site: '拠点', building: 'ビル', floor: 'フロア', capacity: '座席数', country: '国', timezone: 'タイムゾーン' },
    ],
    [
      'counts in Japanese',
      [moment('日時'), text('フロア'), number('人数')],
      'counts',
      { time: '日時', space: 'フロア', value: '人数' },
    ],
    [
      'badge events in English',
      [moment('Date'), text('User ID'), text('Location')],
      'badge_events',
      { person: 'User ID', time: 'Date', space: 'Location' },
    ],
    [
      'days of attendance',
      [date('Datum'), text('Personalnr'), text('Standort'), text('Etage')],
      'attendance_days',
      { person: 'Personalnr', date: 'Datum', space: 'Etage' },
    ],
    [
      'badge events on floors of several buildings',
      [moment('Date'), text('User ID'), text('Building'), number('Floor')],
      'badge_events',
      { person: 'User ID', time: 'Date', space: 'Floor', building: 'Building' },
    ],
    [
      'a directory of people',
      [text('Mitarbeiter'), text('E-Mail'), text('Abteilung'), date('Eintritt'), date('Austritt')],
      'people',
      { person: 'Mitarbeiter', team: 'Abteilung', from: 'Eintritt', until: 'Austritt' },
    ],
    [
      'bookings',
      [text('Raum'), moment('Beginn'), moment('Ende'), text('Veranstalter'), number('Teilnehmer'), text('Status')],
      'bookings',
      {
        space: 'Raum',
        start: 'Beginn',
        end: 'Ende',
        person: 'Veranstalter',
        attendees: 'Teilnehmer',
        cancelled: 'Status',
      },
    ],
    [
      'a list of floors with a column for each level',
      [
        text('Gebäude', { distinct: 2, examples: ['Haus Nord', 'Haus Süd'] }),
        number('Etage', { distinct: 3 }),
        number('Fläche (m²)'),
        number('Arbeitsplätze'),
        number('Miete'),
      ],
      'spaces',
      { building: 'Gebäude', floor: 'Etage', capacity: 'Arbeitsplätze', area_m2: 'Fläche (m²)', annual_cost: 'Miete' },
    ],
    [
      'a list of sites with their rooms, and their types',
      [text('Site'), text('Building name'), text('Room type'), text('Room'), number('Seats')],
      'spaces',
      { site: 'Site', building: 'Building name', room: 'Room', capacity: 'Seats' },
    ],
    [
      'counts of people present',
      [moment('Zeit'), text('Gebäude'), number('Personen')],
      'counts',
      { space: 'Gebäude', time: 'Zeit', value: 'Personen' },
    ],
    [
      'counts in two directions',
      [moment('timestamp'), text('building'), number('arrivals'), number('departures')],
      'counts',
      { space: 'building', time: 'timestamp', in: 'arrivals', out: 'departures' },
    ],
    [
      'a list of spaces',
      [text('Bezeichnung'), text('Art', { examples: ['Etage', 'Gebäude'] }), number('Arbeitsplätze'), number('Fläche')],
      'spaces',
      { name: 'Bezeichnung', external_id: 'Bezeichnung', kind: 'Art', capacity: 'Arbeitsplätze', area_m2: 'Fläche' },
    ],
    [
      'people counters that name entrances and exits',
      [text('space_name'), moment('timestamp'), number('entrances'), number('exits'), number('occupancy')],
      'counts',
      { time: 'timestamp', space: 'space_name', value: 'occupancy' },
    ],
    [
      'counts beside facts of their spaces',
      [
        text('Floor'),
        text('Space'),
        text('Space Type'),
        number('Capacity'),
        moment('Local Time'),
        number('Max People'),
      ],
      'counts',
      { time: 'Local Time', space: 'Space', value: 'Max People' },
    ],
    [
      'badge events with types of events',
      [moment('Time'), text('Panel'), text('Reader'), number('Badge ID'), text('Event Type', { examples: ['Valid'] })],
      'badge_events',
      { time: 'Time', person: 'Badge ID', space: 'Reader' },
    ],
    [
      'badge events whose rows of refused people are left out',
      [moment('Time'), number('Card'), text('Door'), text('Result', { examples: ['Access Granted', 'Access Denied'] })],
      'badge_events',
      { time: 'Time', person: 'Card', space: 'Door', direction: 'Result' },
    ],
    [
      'badge events in Spanish',
      [moment('Fecha y hora'), number('Empleado'), text('Puerta'), text('Sentido', { examples: ['Entrada'] })],
      'badge_events',
      { time: 'Fecha y hora', person: 'Empleado', space: 'Puerta', direction: 'Sentido' },
    ],
    [
      'swipes with names of people beside their numbers',
      [text('Name'), number('Pers.-Nr.'), date('Datum'), text('Terminal')],
      'attendance_days',
      { date: 'Datum', person: 'Pers.-Nr.', space: 'Terminal' },
    ],
    [
      'a directory with the moments of its records',
      [text('userPrincipalName'), text('department'), text('officeLocation'), moment('createdDateTime')],
      'people',
      { person: 'userPrincipalName', team: 'department' },
    ],
    [
      'floors with the parts of their cost before the whole',
      [
        text('ID'),
        text('Name'),
        text('Kind'),
        ...['Annual rent', 'Annual cost', 'Avoidable share'].map((name) => number(name)),
      ],
      'spaces',
      { external_id: 'ID', name: 'Name', kind: 'Kind', annual_cost: 'Annual cost', avoidable_share: 'Avoidable share' },
    ],
    [
      'badge events with the day beside the time',
      [
        ...[date('Datum'), text('Uhrzeit', { examples: ['08:30', '17:05'] }), text('Ausweis'), text('Leser')],
        text('Ergebnis', { examples: ['Zutritt gewährt', 'Zutritt verweigert'] }),
      ],
      'badge_events',
      { time: 'Uhrzeit', date: 'Datum', direction: 'Ergebnis', person: 'Ausweis', space: 'Leser' },
    ],
    [
      'bookings with a day and a duration',
      [date('Date'), text('Start time', { examples: ['9:00 AM'] }), number('Duration (min)'), text('Room')],
      'bookings',
      { start: 'Start time', duration: 'Duration (min)', date: 'Date', space: 'Room' },
    ],
    [
      'counts with a day and an hour',
      [date('Datum'), number('Stunde', { examples: ['8', '9'] }), text('Eingang'), number('Personen')],
      'counts',
      { time: 'Stunde', date: 'Datum', space: 'Eingang', value: 'Personen' },
    ],
    [
      'days at the office and at home',
      [date('Date'), text('Employee'), text('Site'), text('Status', { examples: ['Office', 'Home'] })],
      'attendance_days',
      { date: 'Date', status: 'Status', person: 'Employee', space: 'Site' },
    ],
    [
      'working times of employees at a site',
      [
        ...[date('Date'), text('Employee ID'), text('Location'), text('Start', { examples: ['08:00'] })],
        text('End', { examples: ['17:00'] }),
      ],
      'attendance_days',
      { date: 'Date', person: 'Employee ID', space: 'Location' },
    ],
    [
      'bookings with a column of states',
      [
        text('Room'),
        moment('Start'),
        moment('End'),
        text('Status', { examples: ['Bestätigt', 'No-Show', 'Storniert'] }),
      ],
      'bookings',
      { start: 'Start', end: 'End', space: 'Room', cancelled: 'Status', no_show: 'Status' },
    ],
    [
      'bookings of which some checked in',
      [
        text('Room'),
        moment('Start'),
        moment('End'),
        text('Status', { examples: ['Booked', 'Checked In', 'Completed'] }),
      ],
      'bookings',
      { start: 'Start', end: 'End', space: 'Room', cancelled: 'Status', checked_in: 'Status' },
    ],
    [
      'days with states in an unknown language',
      [
        date('Date'),
        text('Employee'),
        text('Site'),
        text('Status', { examples: ['Toimistolla', 'Etänä'], distinct: 2 }),
      ],
      'attendance_days',
      { date: 'Date', status: 'Status', person: 'Employee', space: 'Site' },
    ],
    [
      'bookings with times of setup and of what was done',
      [text('Room'), moment('Setup Start'), moment('Start'), moment('Meeting ended'), moment('End')],
      'bookings',
      { start: 'Start', end: 'End', space: 'Room' },
    ],
    [
      'people of whom some have left',
      [text('Employee ID'), text('Team'), text('Status', { examples: ['Active', 'Terminated'] })],
      'people',
      { person: 'Employee ID', team: 'Team', active: 'Status' },
    ],
    [
      'hours of each day at a site',
      [date('Date'), text('Employee'), text('Site'), number('Hours')],
      'attendance_days',
      { date: 'Date', status: 'Hours', person: 'Employee', space: 'Site' },
    ],
    [
      'times of entry beside floors',
      [date('Date'), text('Card No'), text('First Entry', { examples: ['08:00'] }), text('Floor')],
      'badge_events',
      { time: 'First Entry', date: 'Date', person: 'Card No', space: 'Floor' },
    ],
    [
      'rooms with names, ends and durations',
      [text('Room Name'), moment('Start Time'), moment('End Time'), number('Duration (min)')],
      'bookings',
      { start: 'Start Time', end: 'End Time', space: 'Room Name' },
    ],
    [
      'bookings with the day of the end',
      [
        ...[date('Start Date'), text('Start Time', { examples: ['9:00 AM'] }), date('End Date')],
        ...[text('End Time', { examples: ['10:00 AM'] }), text('Location')],
      ],
      'bookings',
      { start: 'Start Time', end: 'End Time', date: 'Start Date', end_date: 'End Date', space: 'Location' },
    ],
    [
      'days with a mark for those at the office',
      [date('Datum'), text('Mitarbeiter'), text('Standort'), text('Büro', { examples: ['', 'x'] })],
      'attendance_days',
      { date: 'Datum', status: 'Büro', person: 'Mitarbeiter', space: 'Standort' },
    ],
    [
      'bookings with one column of times',
      [text('Room'), date('Date'), text('Time', { examples: ['09:00 - 10:00 Uhr'] }), number('Attendees')],
      'bookings',
      { start: 'Time', end: 'Time', date: 'Date', attendees: 'Attendees', space: 'Room' },
    ],
    [
      'bookings with times that are parts of a day',
      [text('Room'), date('Date'), ...['Start', 'End'].map((name) => number(name, { examples: ['0.604167'] }))],
      'bookings',
      { start: 'Start', end: 'End', date: 'Date', space: 'Room' },
    ],
    [
      'entrances and exits of intervals',
      [date('Datum'), text('Intervall', { examples: ['08:00 bis 08:15'] }), text('Zone'), number('Ein'), number('Aus')],
      'counts',
      { time: 'Intervall', date: 'Datum', space: 'Zone', in: 'Ein', out: 'Aus' },
    ],
    [
      'halves of days at desks',
      [date('Datum'), text('Zeitraum', { examples: ['AM', 'Full day'] }), text('Platz'), text('Benutzer')],
      'attendance_days',
      { date: 'Datum', person: 'Benutzer', space: 'Platz' },
    ],
    [
      'parts of days at the office',
      [date('Datum'), text('Mitarbeiter'), text('Standort'), number('Anwesend', { examples: ['0,5', '1', '0'] })],
      'attendance_days',
      { date: 'Datum', status: 'Anwesend', person: 'Mitarbeiter', space: 'Standort' },
    ],
    [
      'events of doors with names of actors',
      [moment('timestamp'), text('actor_email'), text('action'), text('object_name')],
      'badge_events',
      { time: 'timestamp', person: 'actor_email', space: 'object_name' },
    ],
    [
      'visits with the time of leaving',
      [text('Email'), text('Location'), moment('Sign in time'), moment('Sign out time')],
      'attendance_days',
      { date: 'Sign in time', person: 'Email', space: 'Location' },
    ],
    [
      'floors with an area in square feet',
      [text('ID'), text('Name'), text('Type'), number('Area (sqft)'), number('Capacity')],
      'spaces',
      { external_id: 'ID', name: 'Name', kind: 'Type', capacity: 'Capacity' },
    ],
  ] as const)('is recognized in %s', (_, columns, kind, mapping) => {
    expect(recognizeDataset(columns)).toEqual({ kind, mapping })
  })

  it.each([
    ['numbers over time without a place', [moment('time'), number('people')]],
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

describe('the layout of a vendor', () => {
  const times = ['From', 'To'].map(moment)
  it.each([
    ['passages over a line', [...times, text('Sensor'), number('FW'), number('BW')], undefined, {}],
    [
      'persons and doors of a journal',
      [moment('Date/Time'), text('Primary Object Name'), text('Secondary Object Name'), number('Card Number')],
      'badge_events',
      { space: 'Secondary Object Name' },
    ],
    [
      'answers of a form',
      [moment('Start time'), text('Email'), text('Which days will you be in the office?')],
      undefined,
      {},
    ],
    [
      'room temperatures',
      [moment('Zeit'), number('Raumtemperatur'), text('Raum'), number('Personen')],
      'counts',
      { space: 'Raum' },
    ],
    [
      'counts of sheets',
      [moment('Zeit'), number('Personen'), text('Sheet', { examples: ['EG', '1. OG'] })],
      'counts',
      { space: 'Sheet' },
    ],
    [
      'counts of months',
      [moment('Zeit'), number('Personen'), text('Sheet', { examples: ['Jan', 'Feb'] })],
      undefined,
      {},
    ],
    [
      'absences',
      [date('Von'), date('Bis'), text('Mitarbeiter'), text('Status', { examples: ['Genehmigt'] })],
      undefined,
      {},
    ],
    ['parts of 1', [moment('Time'), text('Floor'), number('Occupancy', { examples: ['0', '0.25'] })], undefined, {}],
    [
      'rooms of several kinds',
      [
        text('Room Name', { distinct: 9 }),
        text('Floor'),
        text('Building'),
        text('Space Type', { examples: ['Office', 'Meeting'] }),
        number('Capacity'),
      ],
      'spaces',
      { floor: 'Floor', building: 'Building' },
    ],
    [
      'numbered floors',
      [text('Floor', { examples: ['Floor 1', 'Floor 2'], distinct: 9 }), number('Desks')],
      'spaces',
      { floor: 'Floor', capacity: 'Desks' },
    ],
  ])('with %s is told', (_, columns, kind, mapping) => {
    const found = recognizeDataset(columns, 9)
    expect([found?.kind, found?.mapping]).toEqual([
      kind,
      kind === undefined ? undefined : expect.objectContaining(mapping),
    ])
  })

  it.each([
    [
      'a team and its headcount',
      [text('Team'), text('Parent'), number('Head count', { examples: ['12'] })],
      ['list_of_teams'],
    ],
    [
      'full-time equivalents of people',
      [text('Name', { distinct: 9 }), text('Team'), number('FTE', { examples: ['0.8', '1'] })],
      [],
    ],
  ])('with %s is no list of the other', (_, columns, codes) => {
    const found = recognizeDataset(columns, 9)
    expect(kindRemarks(columns, found).map(({ code }) => code)).toEqual(codes)
    expect(found?.kind).toBe(codes.length > 0 ? undefined : 'people')
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

  it.each(['Kosten €/m²', 'Rent per sqm p.a.', 'Monatsmiete', 'Rent p.m.', 'Cost per desk'])(
    'leave out a cost that is not that of a year: %s',
    (name) => {
      const columns = [text('Building'), text('Floor'), number('Seats'), number(name)]
      expect(mapRoles(columns, 'spaces')).toEqual({ building: 'Building', floor: 'Floor', capacity: 'Seats' })
    },
  )

  it.each([
    ['Employee ID', 'Department', 'Hire Date', 'Termination Date'],
    ['Matricule', 'Service', "Date d'entrée", 'Date de sortie'],
    ['Persona', 'Departamento', 'Fecha alta', 'Fecha baja'],
  ])('are those of a directory with %s', (person, team, from, until) => {
    const columns = [text(person), text(team), date(from), date(until)]
    expect(mapRoles(columns, 'people')).toEqual({ person, team, from, until })
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
