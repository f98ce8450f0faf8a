import { spawn } from 'node:child_process'
import type { Context } from '../context.ts'

/** Opens an address in the user's browser: BROWSER, or that of the operating system. A failure is not reported. */
export function openBrowser({ env }: Pick<Context, 'env'>, address: string): void {
  const [command, ...args] = env.BROWSER ? [env.BROWSER] : systemCommand()
  if (command === undefined) return
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined) // the user has the address
  child.unref()
}

function systemCommand(): string[] {
  if (process.platform === 'darwin') return ['open']
  return process.platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open']
}
