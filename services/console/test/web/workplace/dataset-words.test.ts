import { describe, expect, it } from '@jest/globals'
import { datasetRoles } from '@wp/contracts'
import { isAboutPeople, personalColumns } from '../../../web/src/data/uploads/personal-columns.ts'
import {
  describeIncomplete,
  describeMapping,
  describeReason,
  missingRoles,
  roleWords,
} from '../../../web/src/workplace/datasets/dataset-words.ts'

describe('the words of a mapping', () => {
  it('name every role of the platform, and those that are required', () => {
    const required = Object.entries(roleWords).map(([kind, roles]) => [
      kind,
      Object.fromEntries(Object.entries(roles).map(([role, words]) => [role, words.isRequired])),
    ])
    expect(Object.fromEntries(required)).toEqual(datasetRoles)
  })

  it('say what a file is about in one sentence', () => {
    const mapping = { time: 'Zeitpunkt', person: 'Ausweis', space: 'Leser' }
    expect(describeMapping('badge_events', mapping)).toBe(
      'Badge events: one row a swipe. Person = “Ausweis”, time = “Zeitpunkt”, where = “Leser”.',
    )
  })

  it('say what is missing, also one of two ways to count', () => {
    expect(missingRoles('badge_events', { person: 'Ausweis' })).toEqual(['time', 'where'])
    const counts = { space: 'Ort', time: 'Zeit' }
    expect(missingRoles('counts', { ...counts, in: 'Ein' })).toEqual(['people present, or people who came in and left'])
    expect(missingRoles('counts', { ...counts, in: 'Ein', out: 'Aus' })).toEqual([])
    expect(missingRoles('spaces', { name: 'Bezeichnung' })).toEqual([
      'short name or number',
      'site, building, floor or room',
    ])
    expect(missingRoles('spaces', { building: 'Gebäude', capacity: 'Plätze' })).toEqual([])
  })

  it('say that rows without the place around theirs will be left out', () => {
    const mapping = { building: 'Haus', floor: 'Etage', zone: 'Zone', room: 'Raum', capacity: 'Plätze' }
    const whole = { Haus: 'Nord', Etage: 'EG', Zone: null, Raum: '0.01', Plätze: 4 }
    const building = { Haus: 'Süd', Etage: null, Zone: null, Raum: null, Plätze: 90 }
    expect(describeIncomplete([whole, building], mapping)).toBeUndefined()
    expect(describeIncomplete([whole, { ...whole, Haus: '' }], mapping)).toMatch(
      /^1 row of the first 2 names no building and will be left out\./,
    )
    expect(
      describeIncomplete(
        [
          { ...whole, Haus: null },
          { ...whole, Etage: null },
        ],
        mapping,
      ),
    ).toMatch(/^2 rows of the first 2 name no building or floor /)
  })

  it('give the reasons of rows that are not counted', () => {
    expect(describeReason('space_unmapped')).toBe('The place is not known yet')
    expect(describeReason('time_unreadable')).toBe('The time cannot be read')
    expect(describeReason('something_new')).toBe('Something new')
  })
})

describe('the columns with people in them', () => {
  it('are the person and those that look personal, without those that are needed as they are', () => {
    expect(personalColumns(['Name', 'Team lead'], { person: 'Ausweis', team: 'Team lead' })).toEqual([
      'Ausweis',
      'Name',
    ])
    expect(personalColumns([], { space: 'Raum' })).toEqual([])
  })

  it('are protected by default in files about what people did', () => {
    expect([isAboutPeople('badge_events'), isAboutPeople('counts'), isAboutPeople(undefined)]).toEqual([
      true,
      false,
      false,
    ])
  })
})
