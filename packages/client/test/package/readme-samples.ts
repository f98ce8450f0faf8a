import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const readmes = {
  js: join(import.meta.dirname, '../../README.md'),
  ts: join(import.meta.dirname, '../../README.md'),
  python: join(import.meta.dirname, '../../../../clients/python/README.md'),
}

/**
 * Returns the samples of the README of a client in a language: `js` and `python` are run, `ts` need more than a
 * platform and are compiled only.
 */
export const readSamples = (language: keyof typeof readmes): string[] =>
  [...readFileSync(readmes[language], 'utf8').matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].flatMap(([, name, text = '']) =>
    name === language ? [text] : [],
  )
