import type { dataSearch } from '@wp/contracts'
import type { z } from 'zod'

/** A member of `meta.warnings` in a search response. */
export type Warning = z.input<typeof dataSearch.search.meta>['warnings'][number]
