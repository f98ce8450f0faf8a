import { formatNumber } from '../../../ui/format/format.ts'
import { numberProblem, parseNumber } from '../../../ui/format/number-signs.ts'
import type { FloorChange, PeopleChange, ScenarioDraft } from './scenario-draft.ts'

/** Bounds of the numbers of a change. */
export const boundsOf: Readonly<
  Record<PeopleChange['kind'] | FloorChange['kind'] | 'promise', readonly [number, number]>
> = {
  percent: [-100, 1000],
  number: [0, 1_000_000],
  min_days: [0, 7],
  fixed_days: [0, 0],
  stagger: [0, 0],
  capacity: [0, 1_000_000],
  annual_cost: [0, 1e13],
  avoidable_share: [0, 100],
  promise: [50, 100],
}
const wholeNumbers: ReadonlySet<string> = new Set(['number', 'capacity'])

/** Returns what is wrong with a number as it was typed; undefined if nothing is. */
export function problemOf(kind: keyof typeof boundsOf, value: string): string | undefined {
  const [least, most] = boundsOf[kind]
  const number = parseNumber(value)
  if (Number.isNaN(number)) return numberProblem(value) ?? 'Enter a number'
  if (number < least || number > most) return `Enter a number from ${least} to ${formatNumber(most)}`
  return wholeNumbers.has(kind) && !Number.isInteger(number) ? 'Enter a whole number' : undefined
}

const hasNumber = (kind: string): boolean => kind !== 'fixed_days' && kind !== 'stagger'

/** Returns what is wrong with a row of people; undefined if nothing is. */
export function peopleProblem({ kind, value, team, days }: PeopleChange): string | undefined {
  if (kind === 'fixed_days') return days.length === 0 ? 'Choose a day' : undefined
  if (kind === 'number' && team === '') return 'Choose a team'
  return hasNumber(kind) ? problemOf(kind, value) : undefined
}

/** Returns true if the draft can be run. */
export const isComplete = ({ people, floors, promise }: ScenarioDraft): boolean =>
  people.every((row) => peopleProblem(row) === undefined) &&
  floors.every(({ kind, value, floor }) => floor !== '' && problemOf(kind, value) === undefined) &&
  problemOf('promise', promise) === undefined
