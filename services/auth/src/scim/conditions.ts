import { problem } from '@wp/contracts'
import { UnsupportedFilter } from '../store/directory/filter-sql.ts'
import { entityTagOf } from './resources.ts'
import { scimError } from './scim-error.ts'

/**
 * Checks `If-Match`. Directories send weak tags too, which are compared by their value.
 * @throws Problem `precondition_failed`
 */
export function requireMatch(headers: { 'if-match'?: string }, resource: { version: number }): void {
  const condition = headers['if-match']
  if (condition === undefined) return
  const tags = condition.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (!tags.includes('*') && !tags.includes(entityTagOf(resource))) throw problem('precondition_failed')
}

/** Turns a filter over what cannot be filtered into an error of the request. */
export async function withInvalidFilter<T>(work: Promise<T>): Promise<T> {
  return await work.catch((error: unknown) => {
    throw error instanceof UnsupportedFilter ? scimError('invalidFilter', error.message) : error
  })
}
