import type { InputOf, Page, solutions } from '@wp/contracts'
import {
  afterCursor,
  countRows,
  definedFields,
  matchMetadata,
  newId,
  paginate,
  type Query,
  type Row,
} from '@wp/database'
import type { Prisma, Team } from '#db'
import type { Db } from './client.ts'
import { matchNames } from './spaces.ts'

export type { Team }

export const teamQuota = countRows('teams', 'teams')

/** The columns that a caller sets. */
export type TeamContent = Omit<Prisma.TeamUncheckedCreateInput, 'id' | 'workspaceId' | 'createdAt' | 'updatedAt'>

export type TeamFilter = InputOf<typeof solutions.listTeams>['query']

/** Returns one page of the teams of a workspace, newest first. */
export async function findTeams(db: Db, query: Query, workspaceId: string, filter: TeamFilter): Promise<Page<Team>> {
  const { limit, cursor, ids, search, parent_id: parentId, external_id: externalId, metadata } = filter
  const home = filter.home_space_id
  const rows = await db.team.findMany({
    where: {
      workspaceId,
      ...definedFields({ parentId, externalId }),
      ...afterCursor(cursor),
      AND: [
        ...(matchMetadata(metadata).AND ?? []),
        ...(search === undefined ? [] : [matchNames(search)]),
        ...(ids === undefined ? [] : [{ id: { in: [...ids] } }]),
        ...(home === undefined ? [] : [{ id: { in: await findTeamsAtHomeIn(query, workspaceId, home) } }]),
      ],
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  return paginate(rows, limit, (row) => row)
}

/** Returns the teams that are at home in a space or in a space in it. */
async function findTeamsAtHomeIn(query: Query, workspaceId: string, spaceId: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `WITH RECURSIVE within AS (
       SELECT id FROM spaces WHERE workspace_id = $1 AND id = $2
       UNION
       SELECT inner_space.id FROM spaces inner_space JOIN within ON inner_space.parent_id = within.id
       WHERE inner_space.workspace_id = $1)
     SELECT id FROM teams WHERE workspace_id = $1 AND home_space_id IN (SELECT id FROM within)`,
    [workspaceId, spaceId],
  )
  return rows.map(({ id }) => id)
}

export const findTeam = (db: Db, workspaceId: string, id: string): Promise<Team | null> =>
  db.team.findFirst({ where: { workspaceId, id } })

export const findTeamByExternalId = (db: Db, workspaceId: string, externalId: string): Promise<Team | null> =>
  db.team.findFirst({ where: { workspaceId, externalId } })

export const countTeamsWithin = (db: Db, workspaceId: string, parentId: string): Promise<number> =>
  db.team.count({ where: { workspaceId, parentId } })

export const insertTeam = (db: Db, workspaceId: string, content: TeamContent): Promise<Team> =>
  db.team.create({ data: { id: newId('team'), workspaceId, ...content } })

export async function updateTeamRow(
  db: Db,
  workspaceId: string,
  id: string,
  columns: Partial<TeamContent>,
): Promise<void> {
  await db.team.updateMany({ where: { workspaceId, id }, data: { ...columns, updatedAt: new Date() } })
}

export async function deleteTeamRow(db: Db, workspaceId: string, id: string): Promise<boolean> {
  return (await db.team.deleteMany({ where: { workspaceId, id } })).count > 0
}

/** A node of the tree of teams. */
export type TeamNode = Row<Team, 'id' | 'parentId' | 'externalId' | 'name' | 'headcount' | 'homeSpaceId'>

/** Returns all teams of a workspace in the order of their ids. */
export const findTeamNodes = (query: Query, workspaceId: string): Promise<TeamNode[]> =>
  query<TeamNode>(
    `SELECT id, parent_id, external_id, name, headcount, home_space_id
     FROM teams WHERE workspace_id = $1 ORDER BY id`,
    [workspaceId],
  )

/** Returns which of the given teams do not exist. */
export async function findMissingTeams(query: Query, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await query<{ id: string }>('SELECT id FROM teams WHERE workspace_id = $1 AND id = ANY ($2)', [
    workspaceId,
    ids,
  ])
  const known = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => !known.has(id))
}

/** Weeks that tell where a team usually sits. */
const usualWeeks = 8

/** Returns the space of each team in which it was in most of its last weeks, where one is known. */
export async function findUsualSpaces(
  query: Query,
  workspaceId: string,
  teamIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await query<{ teamId: string; spaceId: string }>(
    `SELECT team_id, spaces.id AS space_id
     FROM unnest($2::text[]) AS team_id CROSS JOIN LATERAL (
       SELECT mode() WITHIN GROUP (ORDER BY usual_space_id) AS space_id FROM (
         SELECT usual_space_id FROM week_attendance WHERE workspace_id = $1 AND subject = team_id
         ORDER BY week DESC LIMIT $3) AS weeks) AS usual
     JOIN spaces ON spaces.workspace_id = $1 AND spaces.id = usual.space_id`,
    [workspaceId, teamIds, usualWeeks],
  )
  return new Map(rows.map(({ teamId, spaceId }) => [teamId, spaceId]))
}

/** A team with its constraints. */
export type PlacedTeam = TeamNode &
  Row<Team, 'near' | 'fixedSpaceIds' | 'excludedSpaceIds' | 'maxFloors' | 'contingency'>

/** Returns all teams of a workspace with their constraints; the headcount is the last that a dataset tells of. */
export const findPlacedTeams = (query: Query, workspaceId: string): Promise<PlacedTeam[]> =>
  query<PlacedTeam>(
    `SELECT id, parent_id, external_id, name, coalesce(counted.headcount, teams.headcount) AS headcount, home_space_id,
       near, fixed_space_ids, excluded_space_ids, max_floors, contingency
     FROM teams LEFT JOIN LATERAL (
       SELECT headcount FROM team_days WHERE workspace_id = $1 AND team_id = teams.id AND headcount IS NOT NULL
       ORDER BY day DESC LIMIT 1) AS counted ON true
     WHERE workspace_id = $1 ORDER BY id`,
    [workspaceId],
  )
