import type { ReactNode } from 'react'
import { Icon } from '../button/icon.tsx'
import { toSafeUrl } from '../format/safe-url.ts'

/** A link to an address from data, opened in a new tab. An address of another scheme is text. */
export function SafeLink({ address, children = address }: { address: string; children?: ReactNode }) {
  const url = toSafeUrl(address)
  if (url === undefined) return <span>{children}</span>
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {children} <Icon name="external" size={13} style={{ verticalAlign: '-0.125rem' }} />
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  )
}
