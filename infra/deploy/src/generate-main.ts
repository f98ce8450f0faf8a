// npm run k8s: generates files in k8s/ from processes.ts and the contracts. With --check it writes nothing and exits
// with 1 if a file is out of date or is no longer generated.
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generateFiles } from './generate-files.ts'

const root = join(import.meta.dirname, '../../../k8s')
const files = generateFiles()
const left = globSync('**/*.{yaml,conf}', { cwd: root })
  .filter((file) => !files.has(file))
  .filter((file) => readFileSync(join(root, file), 'utf8').startsWith('# Written by `npm run k8s`'))
const stale = [...files].filter(([file, text]) => {
  const path = join(root, file)
  return !existsSync(path) || readFileSync(path, 'utf8') !== text
})

if (process.argv.includes('--check')) {
  for (const file of [...stale.map(([name]) => name), ...left])
    process.stderr.write(`k8s/${file} is out of date: run npm run k8s\n`)
  process.exitCode = stale.length + left.length > 0 ? 1 : 0
} else {
  for (const file of left) rmSync(join(root, file))
  for (const [file, text] of stale) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  process.stdout.write(`k8s: ${stale.length} written, ${left.length} removed, ${files.size} in all\n`)
}
