import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Link } from '../../ui/button/button-link.tsx'

/** A link of the navigation to a path within the workspace, marked while its page or one below it is shown. */
export function PageLink({
  path,
  isCurrent,
  className,
  children,
}: {
  path: string
  isCurrent: boolean
  className: string | undefined
  children: ReactNode
}) {
  // The navigation is data, so the router cannot check its addresses; a test opens every one.
  const link = { to: `/$workspaceId/${path}` as string } as LinkProps
  return (
    <Link
      {...link}
      className={className}
      activeOptions={{ exact: true, includeSearch: false }}
      {...(isCurrent && { 'data-status': 'active', 'aria-current': 'page' as const })}
    >
      {children}
    </Link>
  )
}
