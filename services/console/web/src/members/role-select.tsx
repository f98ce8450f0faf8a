import type { SelectHTMLAttributes } from 'react'
import { ScopeList } from '../scopes/scope-picker.tsx'
import { Select } from '../ui/form/controls.tsx'
import { formatCount } from '../ui/format/format.ts'
import { isolate } from '../ui/format/untrusted-text.ts'
import { Stack } from '../ui/page/page.tsx'
import { useRoles } from './queries.ts'
import styles from './role-summary.module.css'

/** Chooses a role by its name. @param without the name of a role that cannot be chosen */
export function RoleSelect({
  current,
  without,
  ...rest
}: { current?: string; without?: string } & SelectHTMLAttributes<HTMLSelectElement>) {
  const { data: roles } = useRoles()
  const known = roles?.map(({ name }) => name) ?? (current === undefined ? [] : [current])
  const names = known.filter((name) => name !== without)
  return <Select {...rest} options={names.map((name) => ({ value: name, label: name }))} />
}

/** States what a role allows. @param name of the role */
export function RoleSummary({ name }: { name: string }) {
  const { data: roles } = useRoles()
  const role = roles?.find((candidate) => candidate.name === name)
  if (role === undefined) return null
  return (
    <details className={styles.summary}>
      <summary>
        {isolate(role.name)} has {formatCount(role.scopes.length, 'scope')}
      </summary>
      <Stack>
        {role.description && <p>{role.description}</p>}
        <ScopeList scopes={role.scopes} />
      </Stack>
    </details>
  )
}
