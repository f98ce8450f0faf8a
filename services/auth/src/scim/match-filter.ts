import type { Filter, FilterValue } from './filter.ts'
import { scimError } from './scim-error.ts'

/** An element of a multi-valued attribute, as `emails`. */
export type Element = Record<string, unknown>

/** Returns true if an element of a multi-valued attribute matches a filter, as in `emails[type eq "work"]`. */
export function matchesElement(filter: Filter, element: Element): boolean {
  switch (filter.type) {
    case 'and':
      return filter.parts.every((part) => matchesElement(part, element))
    case 'or':
      return filter.parts.some((part) => matchesElement(part, element))
    case 'not':
      return !matchesElement(filter.part, element)
    case 'present':
      return element[filter.path] !== undefined
    case 'compare':
      return compare(element[filter.path], filter.operator, filter.value)
    case 'element':
      throw scimError('invalidFilter', 'A filter in brackets cannot have brackets')
  }
}

/** Returns the pairs that a filter demands; undefined if it does more than compare for equality. */
export function equalPairs(filter: Filter): Element | undefined {
  if (filter.type === 'compare' && filter.operator === 'eq') return { [filter.path]: filter.value }
  if (filter.type !== 'and') return undefined
  const pairs = filter.parts.map(equalPairs)
  return pairs.includes(undefined) ? undefined : Object.assign({}, ...pairs)
}

function compare(actual: unknown, operator: string, expected: FilterValue): boolean {
  const [a, b] = [String(actual ?? '').toLowerCase(), String(expected ?? '').toLowerCase()]
  switch (operator) {
    case 'eq':
      return a === b
    case 'ne':
      return a !== b
    case 'co':
      return a.includes(b)
    case 'sw':
      return a.startsWith(b)
    case 'ew':
      return a.endsWith(b)
    default:
      throw scimError('invalidFilter', `${operator} is not supported in brackets`)
  }
}
