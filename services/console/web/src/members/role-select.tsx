import type { SelectHTMLAttributes } from 'react'
import { Select } from '../ui/form/controls.tsx'
import { useRoles } from './queries.ts'

/** Chooses a role by its name. */
export function RoleSelect({ current, ...rest }: { current?: string } & SelectHTMLAttributes<HTMLSelectElement>) {
  const { data: roles } = useRoles()
  const names = roles?.map(({ name }) => name) ?? (current === undefined ? [] : [current])
  return <Select {...rest} options={names.map((name) => ({ value: name, label: name }))} />
}
