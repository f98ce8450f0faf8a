import { type LinkComponent, type LinkProps, Link as RouterLink } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ButtonIcon, type ButtonLook, buttonClass } from './button.tsx'

/** A link to a page of the console. Parameters that are not given, as the workspace, are those of the current page. */
export const Link = RouterLink as unknown as LinkComponent<'a', '/$workspaceId'> // the same, but for the optional parameter

/** A link to a page of the console that looks like a button. */
export function ButtonLink({
  variant,
  size,
  icon,
  children,
  ...link
}: ButtonLook & { children: ReactNode } & LinkProps) {
  return (
    <Link {...link} className={buttonClass({ ...(variant && { variant }), ...(size && { size }) })}>
      {icon && <ButtonIcon icon={icon} size={size} />}
      {children}
    </Link>
  )
}
