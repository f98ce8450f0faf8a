import { openPool } from '@wp/database'
import type { Pool } from 'pg'

/** Opens a pool whose rows have field names, like `Database.worker`, for tests of a store. The test ends it. */
export const openWorkerPool = (url: string, size = 2): Pool =>
  openPool({ url, size, name: 'test', readOnly: false, pipeline: true, log: { warn() {}, error() {} } })
