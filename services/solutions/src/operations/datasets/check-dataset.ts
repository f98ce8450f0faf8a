import {
  data,
  type InputOf,
  invalidField,
  nearestName,
  Problem,
  type solutions,
  validationProblem,
  type WorkspaceCaller,
} from '@wp/contracts'
import type { Query } from '@wp/database'
import { requireScope } from '@wp/service'
import { isOtherAreaName, isOtherCostName } from '@wp/tabular'
import type { Context } from '../../context.ts'
import { findMissingTeams } from '../../store/teams.ts'
import { requireSpaces } from '../spaces.ts'

/** @throws Problem `validation_failed` for each column that the source does not have */
export async function checkColumns(
  { internal }: Context,
  caller: WorkspaceCaller,
  sourceId: string,
  mapping: Record<string, string>,
): Promise<void> {
  requireScope(caller, 'data:read', 'A dataset of a data source')
  const source = await internal
    .call(data.getSource, caller, { params: { data_source_id: sourceId }, query: {}, body: undefined })
    .catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'not_found')
        throw invalidField('/data_source_id', 'is not a data source of this workspace', 'unknown_reference')
      throw error
    })
  const columns = source.schema.filter(({ inferred }) => inferred !== null).map(({ name }) => name)
  if (columns.length === 0)
    throw invalidField('/data_source_id', 'has no records yet: upload records, or wait for the end of its first sync')
  const { pseudonymize = [] } = source.config as { pseudonymize?: string[] } // every config may have it
  for (const role of ['space', 'building', 'team'])
    if (mapping[role] !== undefined && (mapping[role] === mapping.person || pseudonymize.includes(mapping[role])))
      throw invalidField(`/mapping/${role}`, 'must not be a column of people: its values are listed')
  const { annual_cost: cost = '', area_m2: area = '' } = mapping
  if (isOtherCostName(cost))
    throw invalidField(
      '/mapping/annual_cost',
      `must be the cost of a year and the whole space, which "${cost}" is not: leave it out, or add a column of that cost`,
    )
  if (isOtherAreaName(area)) throw invalidField('/mapping/area_m2', `must be in square metres, which "${area}" is not`)
  const errors = Object.entries(mapping)
    .filter(([, column]) => !columns.includes(column))
    .map(([role, column]) => {
      const nearest = nearestName(column, columns)
      const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`
      return { pointer: `/mapping/${role}`, detail: `"${column}" is not a column of the data source${hint}` }
    })
  if (errors.length > 0) throw validationProblem(errors)
}

type Maps = Pick<InputOf<typeof solutions.updateDataset>['body'], 'space_map' | 'team_map'>

/** @throws Problem `validation_failed` for the first value that names no space or team of the workspace */
export async function checkMaps(
  query: Query,
  workspaceId: string,
  { space_map = {}, team_map = {} }: Maps,
): Promise<void> {
  const spaces = Object.entries(space_map).flatMap(([value, id]) =>
    id === null ? [] : [{ pointer: `/space_map/${pointerOf(value)}`, id }],
  )
  await requireSpaces(query, workspaceId, spaces)
  const teams = Object.entries(team_map).flatMap(([value, id]) => (id === null ? [] : [{ value, id }]))
  const teamIds = teams.map(({ id }) => id)
  const [missing] = await findMissingTeams(query, workspaceId, teamIds)
  if (missing === undefined) return
  const value = teams.find(({ id }) => id === missing)?.value ?? ''
  throw invalidField(`/team_map/${pointerOf(value)}`, 'is not a team of this workspace', 'unknown_reference')
}

/** Escapes a member of a JSON pointer (RFC 6901). */
const pointerOf = (member: string): string => member.replaceAll('~', '~0').replaceAll('/', '~1')
