import type { JobState, Page } from '@wp/contracts'
import { decodeCursor, paginate } from '@wp/database'
import { type Job, jobColumnsWith, type QuerySource, queryOf } from './job.ts'

export interface JobFilter {
  workspaceId: string | null
  queue: string
  /** 1 to 100. */
  limit: number
  cursor?: string | undefined
  state?: JobState | undefined
  subject?: string | undefined
  externalId?: string | undefined
  /** Pairs that the metadata must contain. */
  metadata?: Readonly<Record<string, string>> | undefined
  /** A text that a member of the input must contain, in any case. */
  contains?: { member: string; text: string } | undefined
  /** Large values not to read: the result (returned as null) or members of it, and members of the input. */
  omit?: { result?: boolean | readonly string[]; input?: readonly string[] } | undefined
}

/** Returns a page of the jobs of one queue, newest first. @throws Problem `invalid_cursor` */
export async function listJobs(source: QuerySource, filter: JobFilter): Promise<Page<Job>> {
  const { workspaceId, queue, limit, cursor, subject, contains, omit = {} } = filter
  const values: unknown[] = [workspaceId ?? '', queue, limit + 1]
  const bind = (parameter: unknown) => `$${values.push(parameter)}`
  const conditions = ['workspace_id = $1', 'queue = $2', ...jobConditions(filter, bind)]
  if (subject !== undefined) conditions.push(`subject = ${bind(subject)}`)
  if (contains !== undefined)
    conditions.push(`strpos(lower(input ->> ${bind(contains.member)}), lower(${bind(contains.text)})) > 0`)
  if (cursor !== undefined) {
    const last = decodeCursor(cursor)
    conditions.push(`(created_at, id) < (${bind(last.createdAt)}, ${bind(last.id)})`)
  }
  const input = withoutMembers('input', omit.input, bind)
  const result = omit.result === true ? 'NULL AS result' : withoutMembers('result', omit.result || undefined, bind)
  const rows = await queryOf(source)<Job>(
    `SELECT ${jobColumnsWith({ input, result })} FROM platform.jobs AS job WHERE ${conditions.join(' AND ')}
     ORDER BY created_at DESC, id DESC LIMIT $3`,
    values,
  )
  return paginate(rows, limit, (job) => job)
}

const withoutMembers = (
  column: string,
  members: readonly string[] | undefined,
  bind: (parameter: unknown) => string,
): string => (members === undefined ? column : `${column} - ${bind([...members])}::text[] AS ${column}`)

/**
 * Returns the conditions of a filter, in SQL, on jobs named `job`.
 * @param bind adds a parameter to the statement and returns its placeholder
 */
export function jobConditions(
  { state, externalId, metadata }: Pick<JobFilter, 'state' | 'externalId' | 'metadata'>,
  bind: (parameter: unknown) => string,
): string[] {
  return [
    ...(state === undefined ? [] : [`job.state = ${bind(state)}`]),
    ...(externalId === undefined ? [] : [`job.external_id = ${bind(externalId)}`]),
    ...(metadata === undefined ? [] : [`job.metadata @> ${bind(JSON.stringify(metadata))}::jsonb`]),
  ]
}

/** Returns SQL that joins the jobs with the ids of an expression to the rows of a service, named `job`. */
export const joinJobs = (id: string): string => `JOIN platform.jobs AS job ON job.id = ${id}`

/** Returns the results of those of the jobs of a workspace that are finished, by id. */
export async function readJobResults(
  source: QuerySource,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Record<string, unknown>>> {
  const rows = await queryOf(source)<{ id: string; result: Record<string, unknown> }>(
    `SELECT id, result FROM platform.jobs WHERE workspace_id = $1 AND id = ANY ($2) AND state = 'finished'`,
    [workspaceId, ids],
  )
  return new Map(rows.map(({ id, result }) => [id, result]))
}
