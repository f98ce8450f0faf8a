import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type ButtonLook, buttonClass } from './button.tsx'

/** A link to a page of the console that looks like a button. */
export function ButtonLink({ variant, size, children, ...link }: ButtonLook & { children: ReactNode } & LinkProps) {
  return (
    <Link {...link} className={buttonClass({ ...(variant && { variant }), ...(size && { size }) })}>
      {children}
    </Link>
  )
}
