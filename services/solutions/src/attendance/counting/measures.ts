import type { OpeningHours } from '@wp/contracts'
import type { Dataset, UseMeaning } from '../../store/datasets.ts'
import type { SpaceNode } from '../../store/spaces.ts'
import type { TeamNode } from '../../store/teams.ts'
import { dividedSpaces } from '../../workplace/capacities.ts'
import { weekdayOf } from '../../workplace/local-days.ts'
import type { Tree } from '../../workplace/tree.ts'
import type { FactTable } from './facts.ts'

/** Facts of one dataset and day with what its values stand for. */
export interface MappedFacts {
  table: FactTable
  /** The position of the space of each value; -1 if it has none. */
  spaceOf: ReadonlyMap<number, number>
  /** The position of the team of each value; -1 if it has none. */
  teamOf: ReadonlyMap<number, number>
}

/** The tree of spaces on one day, by position. */
export interface Places {
  parents: Int32Array
  /** The minute at which each space opens and closes; equal if it stays closed. */
  opens: Int32Array
  closes: Int32Array
  /** 1 for a space that the spaces in it make up, so that counters of these count it too. */
  isDivided: Uint8Array
  /** 1 for a space with a capacity of 0, which needs no counter. */
  isEmpty: Uint8Array
}

/** A dataset, and what its values stand for by position. */
export interface MappedDataset {
  dataset: Pick<Dataset, 'id' | 'kind'>
  /** The first and the last day with facts since 1970: on those between without any, its readers were silent. */
  range: { first: number; last: number } | null
  spaceOf: Map<number, number>
  teamOf: Map<number, number>
  uses: UseMeaning
}

/** The trees and maps of a workspace that a week is counted with. */
export interface WeekContext {
  spaces: Tree<SpaceNode>
  teams: Tree<TeamNode>
  datasets: MappedDataset[]
  openingHours: OpeningHours[]
  homeOf: Int32Array
}

/** On a day without hours, those who are there are taken to leave by then. */
const closingOfClosedDays = '20:00'

/** Returns the spaces with their hours on a day. */
export function placesOn({ spaces, openingHours }: WeekContext, day: number): Places {
  const name = weekdayOf(day)
  return {
    parents: spaces.parents,
    opens: Int32Array.from(openingHours, (hours) => minutesOf(hours[name]?.from ?? closingOfClosedDays)),
    closes: Int32Array.from(openingHours, (hours) => minutesOf(hours[name]?.to ?? closingOfClosedDays)),
    isDivided: dividedSpaces(spaces),
    isEmpty: Uint8Array.from(spaces.nodes, ({ capacity }) => Number(capacity === 0)),
  }
}

/** Returns the minutes of a time of day since midnight. */
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Returns the bits of the hours in which a space is open, part of them included. */
export function openHourBits(opens: number, closes: number): number {
  let bits = 0
  for (let hour = 0; hour < 24; hour++) if (hour * 60 < closes && hour * 60 + 60 > opens) bits |= 1 << hour
  return bits
}
