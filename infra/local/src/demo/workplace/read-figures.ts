import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '@wp/client'
import type { LoadContext, LoadedSample } from '../../workplace/load-sample.ts'

export type UtilizationRow = Awaited<ReturnType<Client['solutions']['getUtilization']>>['items'][number]
type NoShowRow = Awaited<ReturnType<Client['solutions']['listNoShows']>>['items'][number]
type Gap = Awaited<ReturnType<Client['solutions']['getDataset']>>['gaps'][number]

/** A space or team with its rows. */
export interface Subject {
  id: string
  externalId: string
  name: string
  /** Of a floor. Of a building, the sum of its floors. */
  capacity: number
  weekdays: UtilizationRow[]
  days: UtilizationRow[]
}

/** The figures of a loaded company, as the API answers them. */
export interface Figures {
  since: string
  until: string
  threshold: number
  sites: { id: string; name: string; noShows: NoShowRow[] }[]
  buildings: (Subject & { floors: Subject[] })[]
  teams: Subject[]
  gaps: (Gap & { space: string })[]
}

/**
 * Reads the figures of all buildings, floors and teams, over all days of the company. Longer than most functions, so
 * that all of its requests are read in one place.
 */
export async function readFigures({ client, signal }: LoadContext, loaded: LoadedSample): Promise<Figures> {
  const spaces = await readAll(client.solutions.listSpaces({ query: { limit: 100 } }))
  const { brokenReader } = loaded.company.truth
  const dataset = await readBadges(client, loaded.datasets.badgeEvents, { hasGaps: brokenReader !== undefined, signal })
  const since = dataset.since ?? ''
  const until = dataset.until ?? ''
  const nameOf = (id: string | null) => {
    const space = spaces.find((one) => one.id === id)
    const parent = spaces.find((one) => one.id === space?.parent_id)
    return space === undefined ? 'no space' : parent === undefined ? space.name : `${parent.name}, ${space.name}`
  }
  const range = { since, until, children: 'true', limit: 100 }
  let threshold = 0
  const read = async (id: { space_id: string } | { team_id: string }) => {
    signal.throwIfAborted()
    const days = await client.solutions.getUtilization({ query: { ...id, ...range, interval: 'day' } })
    const weekdays = await client.solutions.getUtilization({ query: { ...id, ...range, interval: 'weekday' } })
    threshold = days.meta.privacy_threshold
    return { days: days.items, weekdays: weekdays.items }
  }
  const buildings: Figures['buildings'] = []
  for (const building of spaces.filter(({ kind }) => kind === 'building').toReversed()) {
    const rows = await read({ space_id: building.id })
    const subjectOf = ({ id, external_id: externalId, name, capacity }: (typeof spaces)[number]): Subject => ({
      id,
      externalId: externalId ?? '',
      name,
      capacity: capacity ?? 0,
      weekdays: rows.weekdays.filter((row) => row.space_id === id),
      days: rows.days.filter((row) => row.space_id === id),
    })
    const floors = spaces
      .filter((space) => space.parent_id === building.id)
      .toReversed()
      .map(subjectOf)
    const capacity = floors.reduce((sum, floor) => sum + floor.capacity, 0)
    buildings.push({ ...subjectOf(building), capacity, floors })
  }
  const teams: Subject[] = []
  const all = await readAll(client.solutions.listTeams({ query: { limit: 100 } }))
  for (const division of all.filter(({ parent_id: parent }) => parent === null).toReversed()) {
    const rows = await read({ team_id: division.id })
    for (const { id, external_id: externalId, name } of all
      .filter((team) => team.parent_id === division.id)
      .toReversed())
      teams.push({
        id,
        externalId: externalId ?? '',
        name,
        capacity: 0,
        weekdays: rows.weekdays.filter((row) => row.team_id === id),
        days: rows.days.filter((row) => row.team_id === id),
      })
  }
  const { items: noShows } = await client.solutions.listNoShows({ query: { since, until } })
  const sites = spaces
    .filter(({ kind }) => kind === 'site')
    .toReversed()
    .map(({ id, name }) => ({ id, name, noShows: noShows.filter((row) => row.space_id === id) }))
  const gaps = dataset.gaps.map((gap) => ({ ...gap, space: nameOf(gap.space_id) }))
  return { since, until, threshold, sites, buildings, teams, gaps }
}

async function readAll<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of list) items.push(item)
  return items
}

const gapsWithinMs = 20_000

/** Waits for the gaps of readers, if there are any: they are found after the last week was counted. */
async function readBadges(client: Client, id: string, { hasGaps, signal }: { hasGaps: boolean; signal: AbortSignal }) {
  for (const deadline = performance.now() + gapsWithinMs; ; ) {
    const dataset = await client.solutions.getDataset({ params: { id } })
    if (!hasGaps || dataset.gaps.length > 0 || performance.now() > deadline) return dataset
    await delay(500, undefined, { signal })
  }
}
