import type { solutions } from '@wp/contracts'
import type { z } from 'zod'
import type { ScenarioResult } from '../scenario-job.ts'
import { formatMoney } from './words.ts'

type Comparison = Omit<z.input<typeof solutions.compareScenarios.ok>, 'scenario_id' | 'other_id'>

/** Compares a scenario with another one; differences are those of the other less those of this one. */
export function compareResults(one: ScenarioResult, other: ScenarioResult): Comparison {
  const currencies = [one, other].flatMap(({ saving }) => saving?.currency ?? [])
  const [currency = null] = currencies
  // A scenario in which no floor closes saves nothing; of one that closes some, a saving that is not stated is unknown.
  const isKnown = [one, other].every(({ saving, free }) => saving !== null || free.length === 0)
  const isComparable = isKnown && currency !== null && currencies.every((each) => each === currency)
  const saving = isComparable ? (other.saving?.amount ?? 0) - (one.saving?.amount ?? 0) : null
  const floorDays = ({ floors }: ScenarioResult) => floors.reduce((sum, { open }) => sum + open.length, 0)
  const floors = one.floors.flatMap(({ space_id, name, open }) => {
    const openWith = other.floors.find((floor) => floor.space_id === space_id)?.open ?? []
    return `${open}` === `${openWith}` ? [] : [{ space_id, name, open, open_with: openWith }]
  })
  const isOfTeams = (result: ScenarioResult) => result.teams.some(({ team_id: id }) => id !== null)
  const compared = isOfTeams(one) === isOfTeams(other) ? one.teams : []
  const teams = compared.flatMap(({ team_id, space_id, name, seats }) => {
    const isSame = (team: (typeof compared)[number]) =>
      team.team_id === team_id && team.space_id === space_id && team.name === name
    const seatsWith = other.teams.find(isSame)?.seats ?? []
    const floorsOf = (list: typeof seats) => `${list.map(({ weekday, space_id: id }) => `${weekday} ${id}`).sort()}`
    return floorsOf(seats) === floorsOf(seatsWith) ? [] : [{ team_id, name }]
  })
  const days = floorDays(other) - floorDays(one)
  const more =
    saving === null || currency === null
      ? ''
      : saving === 0
        ? ' and saves as much'
        : ` and saves ${formatMoney(Math.abs(saving), currency)} ${saving > 0 ? 'more' : 'less'} a year`
  const opens =
    days === 0 ? 'as many floors on as many days' : `${Math.abs(days)} ${days > 0 ? 'more' : 'fewer'} days of a floor`
  return {
    saving,
    currency: isComparable ? currency : null,
    floor_days: days,
    floors,
    teams,
    moved_people: other.moved_people - one.moved_people,
    overflow_days: round((other.risk?.overflow_days ?? 0) - (one.risk?.overflow_days ?? 0)),
    conclusion: `The other scenario opens ${opens} a week${more}.`,
    warnings: [...new Set([...one.warnings, ...other.warnings])],
  }
}

const round = (value: number): number => Math.round(value * 10_000) / 10_000
