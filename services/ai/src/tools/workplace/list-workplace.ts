import { id, solutions } from '@wp/contracts'
import type { InternalCalls } from '@wp/service'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { fitItems } from '../limit-output.ts'
import type { ToolCall } from '../tool.ts'
import { requireAllSources } from '../tool.ts'

const [pageSize, maxPages, maxForecasts] = [100, 10, 5]
/** Bytes of the spaces, and of the teams. */
const [maxSpacesBytes, maxTeamsBytes] = [16_384, 10_240]
/** Rooms and zones are not planned. */
const kinds = ['site', 'building', 'floor'] as const

const input = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Only spaces and teams whose name, or the name of one around them, has these words; default: all'),
  space_id: id('spc').optional().describe('Only this site or building and what is in it'),
})

export const listWorkplace = (internal: InternalCalls) =>
  defineTool({
    name: 'list_workplace',
    description:
      'Lists sites, buildings and floors, teams, and the newest finished forecasts of teams and floors, with the ids that create_scenario takes. Call it before create_scenario.',
    input,
    requiredScopes: ['solutions:read'],
    async run({ name, space_id: within }, call) {
      requireAllSources(call)
      const spaces = withPaths(await readSpaces(internal, call))
      const teams = withPaths(await readPages((query) => internal.call(solutions.listTeams, call.caller, of(query))))
      const isNamed = ({ path }: { path: string }) => matches(path, name)
      const foundSpaces = spaces.filter(
        (space) => isNamed(space) && (within === undefined || space.around.includes(within)),
      )
      const foundTeams = teams.filter(isNamed)
      const shownSpaces = fitItems(foundSpaces.map(spaceOutput), maxSpacesBytes)
      const shownTeams = fitItems(foundTeams.map(teamOutput), maxTeamsBytes)
      const forecasts = await readForecasts(internal, call)
      const omitted = foundSpaces.length - shownSpaces.length + foundTeams.length - shownTeams.length
      return {
        output: {
          spaces: shownSpaces,
          teams: shownTeams,
          forecasts,
          ...(omitted > 0 ? { omitted, note: 'Too many: ask for those with a name' } : {}),
          ...(forecasts.length > 0 ? {} : { no_forecast: noForecast }),
        },
      }
    },
  })

const noForecast =
  'A scenario needs a finished forecast of the teams: call start_forecast with ' +
  '{"workplace": {"level": "team"}, "frequency": "day", "horizon": 60}, wait with read_forecast, then list again. ' +
  'If the history is too short, a horizon of 28, 14 or 7 may do. Without teams, or with none that has a home in the ' +
  'building, {"level": "floor"} plans people by the floor on which they are counted'

const of = (query: { limit: number; cursor?: string }) => ({ query })

async function readPages<Item>(
  read: (query: { limit: number; cursor?: string }) => Promise<{ items: Item[]; nextCursor: string | null }>,
): Promise<Item[]> {
  const found: Item[] = []
  let cursor: string | null | undefined
  for (let page = 0; page < maxPages && cursor !== null; page++) {
    const { items, nextCursor } = await read({ limit: pageSize, ...(cursor === undefined ? {} : { cursor }) })
    found.push(...items)
    cursor = nextCursor
  }
  return found
}

async function readSpaces(internal: InternalCalls, call: ToolCall) {
  const ofKinds = kinds.map((kind) =>
    readPages((query) => internal.call(solutions.listSpaces, call.caller, { query: { ...query, kind } })),
  )
  return (await Promise.all(ofKinds)).flat()
}

/** Adds the names and the ids of those around, from the outside in. */
function withPaths<Node extends { id: string; name: string; parent_id: string | null }>(nodes: readonly Node[]) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return nodes
    .map((node) => {
      const path: Node[] = []
      for (let at: Node | undefined = node; at !== undefined && path.length < maxLevels; )
        at = byId.get(path[path.push(at) - 1]?.parent_id ?? '')
      const outward = path.toReversed()
      return { ...node, path: outward.map(({ name }) => name).join(' / '), around: outward.map((one) => one.id) }
    })
    .sort((a, b) => a.path.localeCompare(b.path, 'en', { numeric: true }))
}
const maxLevels = 8

const matches = (path: string, words: string | undefined): boolean =>
  (words ?? '')
    .toLowerCase()
    .split(/\s+/)
    .every((word) => path.toLowerCase().includes(word))

const spaceOutput = (space: { id: string; path: string; kind: string; capacity: number | null }) => ({
  space_id: space.id,
  name: space.path,
  kind: space.kind,
  ...(space.capacity === null ? {} : { capacity: space.capacity }),
})

const teamOutput = (team: { id: string; path: string; headcount: number | null }) => ({
  team_id: team.id,
  name: team.path,
  ...(team.headcount === null ? {} : { headcount: team.headcount }),
})

interface AskedWorkplace {
  level: string
  team_id?: string
  space_id?: string
}

async function readForecasts(internal: InternalCalls, call: ToolCall) {
  const query = { limit: pageSize, status: 'finished' as const }
  const { items } = await internal.call(solutions.listForecastRuns, call.caller, { query })
  return items
    .flatMap(({ id: runId, finished_at: finishedAt, input: asked }) => {
      // The input of a run is as its caller gave it, parsed by `NewForecastRun`.
      const { workplace, horizon } = asked as { workplace?: AskedWorkplace; horizon: number }
      if (workplace?.level !== 'team' && workplace?.level !== 'floor') return []
      const { level, team_id: team = 'all', space_id: space = 'all' } = workplace
      const subject = level === 'team' ? { teams: team } : { floors_in: space }
      return [{ forecast_run_id: runId, finished_at: finishedAt, days: horizon, ...subject }]
    })
    .slice(0, maxForecasts)
}
