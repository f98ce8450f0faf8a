import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const readme = join(import.meta.dirname, '../../README.md')

/** Returns the samples of the README in a language: `js` are run, `ts` need more than a platform and are compiled only. */
export const readSamples = (language: 'js' | 'ts'): string[] =>
  [...readFileSync(readme, 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, text = '']) =>
    name === language ? [text] : [],
  )
