import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageFile } from './pack-packages.ts'

/**
 * Installs the packed packages in empty projects, as users do, and runs them: needs the npm registry and PyPI for what
 * they depend on.
 * @throws Error if one does not install, does not run or has another version
 */
export function checkPackages(version: string): void {
  const project = mkdtempSync(join(tmpdir(), 'release-'))
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
  try {
    writeFileSync(join(project, 'package.json'), '{"name":"project","private":true}')
    const options = ['--silent', '--no-audit', '--no-fund', '--prefer-offline']
    run('npm', 'install', ...options, packageFile('client', version), packageFile('cli', version))
    requireVersion('the command line', run('npx', '--no-install', 'wp', '--version'), version)
    const program =
      "require('@workspace-platform/client'); console.log(require('@workspace-platform/client/package.json').version)"
    requireVersion('the client', run(process.execPath, '-e', program), version)
    run('python3', '-m', 'venv', 'python')
    const python = join(project, 'python/bin/python')
    run(python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', packageFile('python', version))
    const statement = 'import workspace_platform, importlib.metadata as m; print(m.version("workspace-platform"))'
    requireVersion('the Python client', run(python, '-c', statement), version)
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
}

function requireVersion(name: string, found: string, expected: string): void {
  if (found !== expected) throw new Error(`${name} says that it is version ${found}, not ${expected}`)
}
