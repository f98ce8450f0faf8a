import { data, dataInternal, dataSearch } from '@wp/contracts'
import type { InternalCalls } from '@wp/service'
import { createTestCaller } from '@wp/testkit'
import { createFilter } from '../../../../src/tools/aggregate/match-filters.ts'
import { createBuiltInTool } from '../../../../src/tools/built-in-tools.ts'
import type { Filters } from '../../../../src/tools/data/filters.ts'
import type { AgentTool, ToolCall } from '../../../../src/tools/tool.ts'

type Row = Record<string, unknown>

/** A data source in memory. Rows hold text, as those of a CSV file do. */
export interface MemorySource {
  name: string
  titleField?: string
  rows: Record<string, string>[]
}

interface Stored {
  id: string
  name: string
  schema: { name: string; type: string }[]
  records: { record_id: string; data_source_id: string; key: string; title: string | null; url: null; data: Row }[]
}

/** Returns the rows of a text: a line each, with commas between values. The first line has the names of the fields. */
export function rowsOf(text: string): Record<string, string>[] {
  const [names = [], ...lines] = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(','))
  return lines.map((values) => Object.fromEntries(names.map((name, at) => [name, values[at] ?? ''])))
}

const isEvery = (values: readonly string[], pattern: RegExp) => values.every((value) => pattern.test(value))

function typeOf(all: readonly string[]): string {
  const values = all.filter((value) => value !== '')
  if (values.length === 0) return 'null'
  if (isEvery(values, /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/)) return 'number'
  if (isEvery(values, /^(?:true|false)$/)) return 'boolean'
  return isEvery(values, /^\d{4}-\d\d-\d\d(?:T[\d:]+Z)?$/) ? 'timestamp' : 'string'
}

const convert = (value: unknown, type: string | undefined): unknown =>
  value === '' ? null : type === 'number' ? Number(value) : type === 'boolean' ? value === 'true' : value

/** Returns the built-in tools over sources in memory: the tools are those of a run, the services below them are not. */
export function createMemoryTools(sources: readonly MemorySource[]): { tools: AgentTool[]; call: ToolCall } {
  const stored = sources.map(store)
  const sourceOf = (id: string) => {
    const source = stored.find((candidate) => candidate.id === id)
    if (source === undefined) throw new Error(`no source ${id}`)
    return source
  }
  const views = stored.map(({ id, name, schema, records }) => ({
    data_source_id: id,
    name,
    status: 'active',
    record_count: records.length,
    last_synced_at: null,
    schema,
  }))
  const answers = new Map<unknown, (input: { params: Row; query: Row; body: Row }) => unknown>([
    [data.listSources, () => ({ items: views, nextCursor: null })],
    [data.getSource, ({ params: { data_source_id: id } }) => views.find((view) => view.data_source_id === id)],
    [
      data.getRecord,
      ({ params: { record_id: id } }) =>
        stored.flatMap(({ records }) => records).find((record) => record.record_id === id),
    ],
    [
      dataInternal.readUnrestrictedRows,
      ({ params: { data_source_id: id }, query: { fields } }) => readRows(sourceOf(String(id)), String(fields)),
    ],
    [dataSearch.searchRecords, ({ body }) => search(stored, body)],
  ])
  const answer = async (definition: unknown, input: unknown) => {
    const found = answers.get(definition)
    if (found === undefined) throw new Error('this endpoint is not in memory')
    return found(input as { params: Row; query: Row; body: Row }) // as the tools send it
  }
  const internal = {
    call: (definition: unknown, _caller: unknown, input: unknown) => answer(definition, input),
    callForCaller: (_caller: unknown, _scope: unknown, definition: unknown, input: unknown) =>
      answer(definition, input),
  } as unknown as InternalCalls // the two members that the tools use
  const workspaceId = 'ws_01h455vb4pex5vsknk084sn02q'
  const names = ['list_sources', 'search_data', 'aggregate_records', 'read_record'] as const
  return {
    tools: names.map((name) => createBuiltInTool(name, internal)),
    call: {
      caller: { ...createTestCaller(workspaceId, 'local'), workspaceId },
      dataSourceIds: [],
      signal: new AbortController().signal,
      callId: 'call_1',
    } as unknown as ToolCall, // the members that the tools read
  }
}

function store({ name, titleField, rows }: MemorySource, at: number): Stored {
  const id = `src_01h455vb4pex5vsknk084sn0${String(at).padStart(2, '0')}`
  const fields = Object.keys(rows[0] ?? {})
  return {
    id,
    name,
    schema: fields.map((field) => ({ name: field, type: typeOf(rows.map((row) => row[field] ?? '')) })),
    records: rows.map((row, position) => ({
      record_id: `rec_01h455vb4pex5vsknk084${String(at).padStart(2, '0')}${String(position).padStart(3, '0')}`,
      data_source_id: id,
      key: row[fields[0] ?? ''] ?? '',
      url: null,
      data: row,
      title: (titleField === undefined ? undefined : row[titleField]) ?? null,
    })),
  }
}

function readRows({ records, schema }: Stored, fields: string) {
  const names = fields.split(',').map(decodeURIComponent)
  const typeOfField = (name: string) => schema.find((field) => field.name === name)?.type
  return {
    rows: records.map(({ data: row }) => names.map((name) => convert(row[name] ?? '', typeOfField(name)))),
    after: null,
  }
}

const termsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.replace(/(?:ing|ed|es|s|en|n|e)$/, ''))

function search(stored: readonly Stored[], body: Row) {
  const {
    query,
    data_source_ids: ids,
    filters,
    sort,
    facets,
    limit,
  } = body as {
    query?: string
    data_source_ids?: string[]
    filters?: Filters
    sort?: string
    facets?: string[]
    limit: number
  } // as `search_data` sends it
  const terms = new Set(query === undefined ? [] : termsOf(query))
  const matches = createFilter(filters ?? {})
  const found = stored
    .filter(({ id }) => ids === undefined || ids.includes(id))
    .flatMap(({ schema, records }) =>
      records.map((record) => {
        const typeOfField = (name: string) => schema.find((field) => field.name === name)?.type
        const words = new Set(termsOf(Object.values(record.data).join(' ')))
        const score = [...terms].filter((term) => words.has(term)).length
        return { record, score, valueAt: (name: string) => convert(record.data[name] ?? '', typeOfField(name)) }
      }),
    )
    .filter(({ score, valueAt }) => (query === undefined || score > 0) && matches(valueAt))
  const field = sort?.replace(/^-/, '') ?? ''
  const sign = sort?.startsWith('-') === true ? -1 : 1
  const ordered =
    sort === undefined
      ? found.toSorted((a, b) => b.score - a.score)
      : found.toSorted((a, b) => sign * compare(a.valueAt(field), b.valueAt(field)))
  return {
    items: ordered.slice(0, limit).map(({ record }) => ({ ...record, snippet: null, score: 1 })),
    meta: {
      mode_used: 'lexical',
      warnings: [],
      ...(query === undefined ? { total: found.length } : {}),
      ...(facets === undefined
        ? {}
        : {
            facets: Object.fromEntries(
              facets.map((name) => [name, topValues(found.map(({ valueAt }) => valueAt(name)))]),
            ),
          }),
    },
    nextCursor: null,
  }
}

const compare = (a: unknown, b: unknown): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0

function topValues(values: readonly unknown[]) {
  const counts = new Map<unknown, number>()
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, 10)
}
