/** A comparison of a filter over stored attributes. */
export interface Column {
  sql: string
  type: 'text' | 'exact' | 'boolean' | 'time'
}

/** A multi-valued attribute: the rows of its elements, and their columns. */
export interface ElementTable {
  /** `FROM` and `WHERE` of the elements of the resource. */
  from: string
  columns: Readonly<Record<string, Column>>
  /** Column that the bare path means. */
  value: string
}

/** The attributes that a filter can name, by their paths in lower case. */
export interface FilterColumns {
  columns: Readonly<Record<string, Column>>
  elements: Readonly<Record<string, ElementTable>>
}

/** The filter as parsed by the caller; the store knows no other folder. */
export type SqlFilter =
  | { type: 'and' | 'or'; parts: SqlFilter[] }
  | { type: 'not'; part: SqlFilter }
  | { type: 'present'; path: string }
  | { type: 'compare'; path: string; operator: string; value: string | number | boolean | null }
  | { type: 'element'; path: string; filter: SqlFilter }

/** Thrown for an attribute or a comparison that the resource does not have. */
export class UnsupportedFilter extends Error {
  override readonly name = 'UnsupportedFilter'
}

/**
 * Builds the condition of a filter. Values become parameters; attribute names only choose among known columns.
 * @param values parameters so far, to which those of the filter are added
 * @throws UnsupportedFilter
 */
export function filterCondition(filter: SqlFilter, { columns, elements }: FilterColumns, values: unknown[]): string {
  const build = (part: SqlFilter) => filterCondition(part, { columns, elements }, values)
  switch (filter.type) {
    case 'and':
    case 'or':
      return `(${filter.parts.map(build).join(filter.type === 'and' ? ' AND ' : ' OR ')})`
    case 'not':
      return `(NOT coalesce(${build(filter.part)}, false))`
    case 'element': {
      const table = own(elements, filter.path)
      if (table === undefined) throw new UnsupportedFilter(`${filter.path} has no elements`)
      const inner = { columns: table.columns, elements: {} }
      return `EXISTS (SELECT FROM ${table.from} AND ${filterCondition(filter.filter, inner, values)})`
    }
    default: {
      const column = own(columns, filter.path)
      if (column !== undefined) return comparison(column, filter, values)
      const [path = '', part] = filter.path.split('.', 2)
      const table = own(elements, path)
      if (table === undefined) throw new UnsupportedFilter(`${filter.path} cannot be filtered`)
      return build({ type: 'element', path, filter: { ...filter, path: part ?? table.value } })
    }
  }
}

const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

const orders: Readonly<Record<string, string>> = { gt: '>', ge: '>=', lt: '<', le: '<=' }

function comparison(
  { sql, type }: Column,
  filter: Extract<SqlFilter, { type: 'present' | 'compare' }>,
  values: unknown[],
): string {
  if (filter.type === 'present') return `(${sql} IS NOT NULL)`
  const { operator, value } = filter
  if (value === null) return operator === 'ne' ? `(${sql} IS NOT NULL)` : `(${sql} IS NULL)`
  const parameter = (given: unknown, cast: string) => `$${values.push(given)}::${cast}`
  if (type === 'boolean') {
    const wanted = String(value).toLowerCase()
    if (!['true', 'false'].includes(wanted) || !['eq', 'ne'].includes(operator)) throw unsupported(filter)
    return `(coalesce(${sql}, false) ${operator === 'eq' ? '=' : '<>'} ${parameter(wanted === 'true', 'boolean')})`
  }
  if (type === 'time') {
    const sign = operator === 'eq' ? '=' : operator === 'ne' ? '<>' : own(orders, operator)
    if (sign === undefined || Number.isNaN(Date.parse(String(value)))) throw unsupported(filter)
    return `(${sql} ${sign} ${parameter(new Date(String(value)).toISOString(), 'timestamptz')})`
  }
  const left = type === 'exact' ? sql : `lower(${sql})`
  const text = parameter(String(value), 'text')
  const right = type === 'exact' ? text : `lower(${text})`
  if (operator === 'eq') return `(${left} = ${right})`
  if (operator === 'ne') return `(${left} IS DISTINCT FROM ${right})`
  if (operator === 'co') return `(strpos(${left}, ${right}) > 0)`
  if (operator === 'sw') return `starts_with(${left}, ${right})`
  if (operator === 'ew') return `(right(${left}, length(${right})) = ${right})`
  throw unsupported(filter)
}

const unsupported = ({ path, operator }: Extract<SqlFilter, { type: 'compare' }>) =>
  new UnsupportedFilter(`${path} cannot be compared so with ${operator}`)
