import { createHash } from 'node:crypto'
import { stripTypeScriptTypes } from 'node:module'

export default {
  process: (source, path) => ({ code: path.endsWith('.ts') ? stripTypeScriptTypes(source) : source }),
  getCacheKey: (source, path) => createHash('sha256').update(process.version).update(path).update(source).digest('hex'),
}
