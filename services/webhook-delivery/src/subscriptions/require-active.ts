import { problem } from '@wp/contracts'

/** @throws Problem `conflict` if the subscription is disabled */
export function requireActive({ status }: { status: string }): void {
  if (status !== 'active') throw problem('conflict', { detail: 'The subscription is disabled; enable it first' })
}
