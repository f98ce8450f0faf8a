// npm run secrets: fails if a file in git contains a key, a token or a password. Files of tests with such a value on
// purpose are named in .secretlintrc.json.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './pnpm.ts'

/** Each file is read by one process with others; this many fit into the arguments of a command. */
const filesPerProcess = 1_000

const files = process.argv.length > 2 ? process.argv.slice(2) : listFiles()
// The package does not export its program.
const secretlint = join(root, 'infra/deploy/node_modules/secretlint/bin/secretlint.js')
const settings = ['--secretlintrc', join(root, 'infra/deploy/.secretlintrc.json'), '--maskSecrets']
for (let start = 0; start < files.length; start += filesPerProcess) {
  const chunk = files.slice(start, start + filesPerProcess)
  // The rules are dependencies of this package and are looked up from the working folder.
  const options = { cwd: join(root, 'infra/deploy'), stdio: 'inherit' } as const
  if (spawnSync(process.execPath, [secretlint, ...settings, ...chunk], options).status !== 0) process.exitCode = 1
}

/** Returns the absolute paths of the files in git, without the lock file, whose checksums look like keys. */
function listFiles(): string[] {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z', '--', '.', ':!pnpm-lock.yaml'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  })
  if (status !== 0) throw new Error('the folder is not a git repository')
  return stdout.split('\0').flatMap((file) => (file === '' ? [] : [join(root, file)]))
}
