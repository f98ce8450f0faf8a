import type { LinkProps } from '@tanstack/react-router'
import type { Scope } from '@wp/contracts'
import type { ReactNode } from 'react'
import { Button, type ButtonLook, type ButtonProps } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { Callout } from '../ui/message/message.tsx'
import { useCan } from './workspace-context.tsx'

/** Says that the user may not do what the page is for. Shows nothing to those who may. @param action `add webhooks` */
export function MissingScopeNotice({ action, scope }: { action: string; scope: Scope }) {
  if (useCan()(scope)) return null
  return (
    <Callout tone="warning" title={`You cannot ${action}`}>
      It needs the scope {scope}. Ask an administrator of the workspace.
    </Callout>
  )
}

/** A button, or a link to a page, for users with a scope; for others it is disabled and says what it needs. */
export function ScopedButton({
  scope,
  to,
  ...button
}: { scope: Scope } & (
  | (ButtonProps & { to?: undefined })
  | (ButtonLook & { to: LinkProps['to']; children: ReactNode })
)) {
  if (!useCan()(scope)) return <Button {...button} disabled title={`Needs the scope ${scope}`} />
  if (to === undefined) return <Button {...button} />
  const { icon, variant, size, children } = button
  return (
    <ButtonLink to={to} {...(icon && { icon })} {...(variant && { variant })} {...(size && { size })}>
      {children}
    </ButtonLink>
  )
}
