import type { Phrases } from '../language/phrases.ts'
import { isHeadcount } from '../query/column-roles.ts'
import { describeQuery } from '../query/describe-query.ts'
import { isAdded, isRate } from '../query/quantities.ts'
import { type Filters, type Query, Refusal } from '../query/query.ts'
import { arrayIn, memberOf, recordsOf } from '../tool-results.ts'
import { call, type Steps } from './answer-steps.ts'
import { describeRecord } from './describe-record.ts'

const [maxListedRecords, maxRankedRecords] = [20, 20]

/** Lists records. Returns the query to compute instead if there are too many, or if `how much` asks for a total. */
export function* answerRecords(query: Query, say: Phrases): Steps<string | Query> {
  const { source, filters, order, field, select } = query
  const exists: Filters = field === undefined || filters[field] !== undefined ? {} : { [field]: { exists: true } }
  const { output, ...outcome } = yield* call('search_data', {
    data_source_ids: [source.id],
    filters: { ...filters, ...exists },
    limit: order === undefined ? maxListedRecords : maxRankedRecords,
    ...(field === undefined ? {} : { sort: order?.direction === 'min' ? field : `-${field}` }),
  })
  const records = recordsOf({ output, ...outcome })
  const counted = memberOf(output, 'total')
  const total = typeof counted === 'number' ? String(counted) : say.atLeast(records.length)
  const notes = [describeQuery(query, say), ...arrayIn(output, 'warnings').map(String)].join('; ')
  if (records.length === 0) return `${say.none} (${notes}).`
  const lineOf = (record: (typeof records)[number], fields?: readonly string[]) =>
    `${describeRecord(record, fields)} ${record.marker}`
  if (order !== undefined && field !== undefined) {
    const last = records[order.count - 1]?.data[field]
    const best = records.filter(({ data }, at) => at < order.count || data[field] === last)
    const cut =
      best.length === records.length && total !== String(records.length) ? `; ${say.shown(best.length, total)}` : ''
    return `${best.map((record) => `${best.length > 1 ? '- ' : ''}${lineOf(record)}`).join('\n')} (${notes}${cut}).`
  }
  const isAll = total === String(records.length)
  const [selected, ...more] = select
  if (query.wantsTotal && selected !== undefined && records.length > 1 && !isRate(selected))
    return {
      ...query,
      form: 'aggregate',
      function: 'sum',
      field: selected,
      select: [],
      isHeadcount: isHeadcount(selected),
    }
  if (!isAll && selected !== undefined && more.length === 0) {
    if (source.fields.some(({ name, type }) => name === selected && type === 'number')) {
      if (!isAdded(selected)) throw new Refusal(say.tooMany(total, selected))
      return { ...query, form: 'aggregate', function: 'sum', field: selected, select: [] }
    }
    return { ...query, form: 'aggregate', select: [], groupBy: [selected] }
  }
  const lines = records.map((record) => lineOf(record, select.length === 0 ? undefined : select))
  const found = isAll ? say.found(total) : say.shown(records.length, total)
  return lines.length === 1
    ? `${lines[0]} (${notes}).`
    : [`${found} (${notes}):`, ...lines.map((line) => `- ${line}`)].join('\n')
}
