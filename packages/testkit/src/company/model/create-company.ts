import { type CompanyOptions, readOptions } from '../options.ts'
import { Random, streams } from '../random.ts'
import { epochDayOf, findDay, findHolidays } from './calendar.ts'
import type { Company, Fault } from './company.ts'
import { createMemberships } from './people.ts'
import { planSpaces } from './spaces.ts'
import { planTeams } from './teams.ts'

/**
 * Creates a made company from a seed: sites, floors, teams, people and what will go wrong. It says who may come;
 * `generateDays` says who comes. The same options give the same company on every machine.
 *
 * @throws RangeError naming the option that is out of bounds
 */
export function createCompany(given: CompanyOptions = {}): Company {
  const options = readOptions(given)
  const { people, days } = options
  const firstDay = epochDayOf(options.firstDay)
  const period = { firstDay, days, people }
  const places = planSpaces(options.floors, (people / 1_800) * (12 / options.floors))
  const { spaces, readers, floorsOf } = places
  const teamPlan = planTeams(places)
  const reorganizationDay = findDay(period, '05-01', 0)
  const random = new Random(options.seed, streams.people)
  const memberships = createMemberships(teamPlan, period, reorganizationDay, random)
  const inclination = Uint8Array.from({ length: people }, () => random.below(256))
  const arrival = Uint16Array.from({ length: people }, () => random.around(450, 600))

  const [berlin = [], munich = [], manchester = []] = floorsOf
  const firstFloor = berlin[0] ?? 0
  const fault = (space: number | undefined, from: number | undefined, length: number): Fault | undefined =>
    space === undefined || from === undefined ? undefined : { space, from, until: Math.min(days, from + length) }
  const camera = manchester[0] ?? 0
  return {
    options,
    ...period,
    spaces,
    readers,
    memberships,
    inclination,
    arrival,
    teams: teamPlan.teams,
    holidays: findHolidays(period, spaces),
    reorganization:
      reorganizationDay === undefined || teamPlan.created < 0
        ? undefined
        : { day: reorganizationDay, split: teamPlan.split, created: teamPlan.created },
    brokenReader: fault(munich[1] ?? munich[0], findDay(period, '08-01', 0), 14),
    doorCounter: firstFloor,
    camera,
    brokenCamera: fault(camera, findDay(period, '09-08', 1), 3),
    calendarRoom: spaces.findIndex(({ kind }) => kind === 'room'),
  }
}
