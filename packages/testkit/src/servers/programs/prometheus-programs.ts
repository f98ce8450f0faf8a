import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const cache = join(import.meta.dirname, '../../../../../node_modules/.cache/prometheus')

/** Returns the path of a program in PATH or in the cache of `npm run prometheus`; undefined if there is none. */
export const findPrometheusProgram = (program: 'prometheus' | 'promtool'): string | undefined =>
  [...(process.env.PATH ?? '').split(delimiter), cache].map((folder) => join(folder, program)).find(existsSync)
