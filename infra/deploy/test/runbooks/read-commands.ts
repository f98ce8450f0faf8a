import { readFileSync } from 'node:fs'

/** A code block of a runbook, which an operator copies as a whole. */
export interface RunbookBlock {
  title: string
  script: string
}

/** Returns the blocks of shell commands of a document, also those within lists. */
export function readBlocks(file: string): RunbookBlock[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/^( *)```sh\n(.*?)^ *```$/gms)].map(([, indent = '', body = '']) => {
    const script = body.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
    return { title: script.split('\n', 1)[0] ?? '', script }
  })
}

/**
 * Returns the objects that a call of kubectl names, `deployment/auth`; those that it creates or only selects are not.
 */
export function namedObjects(args: readonly string[]): string[] {
  const [verb = '', ...rest] = args.filter((arg, index) => arg !== '-n' && args[index - 1] !== '-n')
  const words = rest.filter((arg, index) => !arg.startsWith('-') && !takesValue(rest[index - 1] ?? ''))
  const fromFlags = rest.flatMap((arg) => /^--from=(.*)$/.exec(arg)?.[1] ?? [])
  if (verb === 'create') return fromFlags
  const targets = ['rollout', 'set'].includes(verb) ? words.slice(1) : words
  if (targets.some((word) => word.includes('/'))) return targets.filter((word) => word.includes('/')).map(toSingular)
  const [kind, ...names] = targets
  if (verb === 'exec') return targets.slice(0, 1).map((name) => `pod/${name}`)
  return kind === undefined ? [] : names.map((name) => toSingular(`${kind}/${name}`))
}

const takesValue = (flag: string) =>
  /^(-f|-c|-o|-l|--(replicas|patch|type|selector|tail|timeout|output|field-manager))$/.test(flag)

const toSingular = (name: string) => name.replace(/^(\w+?)s?(\.[\w.]+)?\//, '$1/')
