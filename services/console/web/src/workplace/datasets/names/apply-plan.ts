import type { Client } from '@wp/client/browser'
import { findNamedBuilding, isSameName, type PlannedName } from './name-plan.ts'
import type { KnownSpace } from './space-labels.ts'

/** The place of new spaces: a space that exists, or a new building, in a new site if one is named. */
export type NewPlace =
  | { parentId: string }
  | { parentId: undefined; site: string; building: string; country: string; timezone: string }

export interface PlanApplication {
  api: Client
  datasetId: string
  plan: readonly PlannedName[]
  /** By the name of the building in the file; undefined for those of which it names none. */
  places: ReadonlyMap<string | undefined, NewPlace>
  /** The spaces that exist: a site or building of the same name is taken, and no second one created. */
  spaces: readonly KnownSpace[]
  /** People who can be there at a moment, by value. */
  capacities: ReadonlyMap<string, number>
  /** The spaces and teams of an earlier attempt, by their key. It is added to. */
  created: Map<string, string>
  onProgress: (done: number) => void
}

/** Creates the new spaces and teams of a plan, and maps all its names. It goes on where an earlier attempt failed. */
export async function applyPlan(application: PlanApplication): Promise<void> {
  const { api, datasetId, plan, onProgress } = application
  const maps: Record<PlannedName['role'], Record<string, string | null>> = { space: {}, team: {} }
  for (const [index, planned] of plan.entries()) {
    maps[planned.role][planned.value] = await targetId(application, planned)
    onProgress(index + 1)
  }
  await api.solutions.updateDataset({
    params: { id: datasetId },
    body: {
      ...(Object.keys(maps.space).length > 0 && { space_map: maps.space }),
      ...(Object.keys(maps.team).length > 0 && { team_map: maps.team }),
    },
  })
}

async function targetId(application: PlanApplication, planned: PlannedName): Promise<string | null> {
  const { target, name, value, role } = planned
  if (target.type === 'undecided') throw new Error(`what ${value} stands for is not decided`)
  if (target.type === 'left_out') return null
  if (target.type === 'existing') return target.id
  if (target.type === 'same') {
    const other = application.plan.find((each) => each.role === role && each.value === target.value)
    // The other one has the most rows of those alike, so that it refers to none.
    return other === undefined || other.target.type === 'same' ? null : targetId(application, other)
  }
  if (target.type === 'building') return buildingId(application, planned)
  const { api, capacities } = application
  const { kind } = target
  if (kind === 'team') return once(application, `${role} ${value}`, () => api.solutions.createTeam({ body: { name } }))
  const capacity = capacities.get(value) ?? null
  return once(application, `${role} ${value}`, async () => {
    const place =
      kind === 'building'
        ? await buildingPlace(application, planned.building)
        : { parent_id: await buildingId(application, planned) }
    return api.solutions.createSpace({ body: { name, kind, capacity, ...place } })
  })
}

/** Returns the parent of new buildings; without one, the country and time zone that they state themselves. */
async function buildingPlace(application: PlanApplication, named: string | undefined) {
  const { api, places, spaces } = application
  const place = placeOf(places, named)
  if (place === undefined) throw new Error('a plan with new spaces needs their place')
  if (place.parentId !== undefined) {
    const chosen = spaces.find(({ id }) => id === place.parentId)
    // A building lies beside another one, and not in it.
    return { parent_id: chosen?.kind === 'building' ? (chosen.parent_id ?? chosen.id) : place.parentId }
  }
  const { site, country, timezone } = place
  const zone = { country: country || null, timezone }
  if (site === '') return { parent_id: null, ...zone }
  const existing = findSpace(application, 'site', site, null)
  if (existing !== undefined) return { parent_id: existing.id }
  const create = () => api.solutions.createSpace({ body: { name: site, kind: 'site', ...zone } })
  return { parent_id: await once(application, `site ${site.toLowerCase()}`, create) }
}

const placeOf = (places: PlanApplication['places'], named = '') =>
  [...places].find(([name = '']) => isSameName(name, named))?.[1]

/** Returns the building that a name states or is known to be in, or else the one that the person named or chose. */
async function buildingId(application: PlanApplication, { building: named, parentId }: PlannedName): Promise<string> {
  const { api, places, spaces } = application
  if (parentId !== undefined) return parentId
  const place = placeOf(places, named)
  // The place is not asked for, and may not be seen, where there is one building of that name.
  const known = named === undefined ? undefined : findNamedBuilding(spaces, named)
  if (known !== undefined) return known.id
  if (named === undefined && place?.parentId !== undefined) return place.parentId
  const name = named ?? (place?.parentId === undefined ? place?.building : undefined)
  const around = await buildingPlace(application, named)
  if (name === undefined) throw new Error('a new building needs its name')
  const existing = findSpace(application, 'building', name, around.parent_id)
  if (existing !== undefined) return existing.id
  return once(application, `building ${name.toLowerCase()}`, () =>
    api.solutions.createSpace({ body: { name, kind: 'building', ...around } }),
  )
}

function findSpace({ spaces }: PlanApplication, kind: 'site' | 'building', name: string, parentId: string | null) {
  return spaces.find((space) => space.kind === kind && space.parent_id === parentId && isSameName(space.name, name))
}

async function once({ created }: PlanApplication, key: string, create: () => Promise<{ id: string }>): Promise<string> {
  const known = created.get(key)
  if (known !== undefined) return known
  const { id } = await create()
  created.set(key, id)
  return id
}
