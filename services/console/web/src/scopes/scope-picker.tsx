import { type Scope, scopes } from '@wp/contracts'
import { useEffect, useId, useRef } from 'react'
import { useCan } from '../session/workspace-context.tsx'
import { Button, Icon } from '../ui/button/button.tsx'
import { Checkbox } from '../ui/form/controls.tsx'
import { FieldGroup } from '../ui/form/field.tsx'
import { Badge } from '../ui/values/values.tsx'
import { groupScopes, inCatalogOrder, labelOfScope } from './scope-groups.ts'
import styles from './scopes.module.css'

/** Returns the scopes of the user, which are those that the user can grant. */
export function useGrantableScopes(): Scope[] {
  const can = useCan()
  return scopes.filter(can)
}

const missingScope = 'Choose at least one scope: without one the credential could do nothing.'

/** Chooses scopes, grouped by surface. Scopes that the user does not have cannot be chosen. */
export function ScopePicker({
  value,
  onChange,
  error,
  isRequired = false,
}: {
  value: readonly Scope[]
  onChange: (scopes: Scope[]) => void
  error?: string | undefined
  /** The form cannot be sent without a scope, which is said before it is tried. */
  isRequired?: boolean
}) {
  const grantable = useGrantableScopes()
  const isLimited = grantable.length < scopes.length
  const toggle = (scope: Scope, isOn: boolean) =>
    onChange(inCatalogOrder(isOn ? [...value, scope] : value.filter((other) => other !== scope)))
  const isMissing = error !== undefined && value.length === 0
  const toolbar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isMissing) toolbar.current?.scrollIntoView({ block: 'nearest' })
  }, [isMissing])
  return (
    <FieldGroup
      label="Scopes"
      hint={isLimited ? 'You can grant only scopes that you have.' : undefined}
      error={isMissing ? undefined : error}
    >
      <div className={styles.toolbar} ref={toolbar}>
        <span className={styles.count} role="status" data-missing={isMissing || undefined}>
          {isMissing && <Icon name="warning" size={14} />}
          {isRequired && value.length === 0 ? missingScope : `${value.length} of ${scopes.length} selected`}
        </span>
        <Button size="small" onClick={() => onChange(grantable)}>
          Same as mine
        </Button>
        <Button size="small" onClick={() => onChange(grantable.filter((scope) => scope.endsWith(':read')))}>
          Read only
        </Button>
        <Button size="small" variant="quiet" disabled={value.length === 0} onClick={() => onChange([])}>
          Clear
        </Button>
      </div>
      <div className={styles.groups}>
        {groupScopes().map((group) => (
          <GroupChoices key={group.name} {...group} value={value} grantable={grantable} onToggle={toggle} />
        ))}
      </div>
    </FieldGroup>
  )
}

function GroupChoices({
  label,
  scopes: members,
  value,
  grantable,
  onToggle,
}: {
  label: string
  scopes: readonly Scope[]
  value: readonly Scope[]
  grantable: readonly Scope[]
  onToggle: (scope: Scope, isOn: boolean) => void
}) {
  const id = useId()
  return (
    <fieldset className={styles.group} aria-labelledby={id}>
      <div className="medium" id={id}>
        {label}
      </div>
      <div className={styles.choices}>
        {members.map((scope) => (
          <Checkbox
            key={scope}
            label={
              <>
                {labelOfScope(scope)} <code className="muted small">{scope}</code>
              </>
            }
            checked={value.includes(scope)}
            // A scope that another user has granted can still be taken away.
            disabled={!grantable.includes(scope) && !value.includes(scope)}
            onChange={(event) => onToggle(scope, event.target.checked)}
          />
        ))}
      </div>
    </fieldset>
  )
}

/** Shows scopes, grouped by surface. */
export const ScopeList = ({ scopes }: { scopes: readonly Scope[] }) => (
  <div className={styles.groups}>
    {groupScopes(scopes).map(({ name, label, scopes: members }) => (
      <div key={name} className={styles.group}>
        <div className="medium">{label}</div>
        <div className="row-1">
          {members.map((scope) => (
            <Badge key={scope}>{scope}</Badge>
          ))}
        </div>
      </div>
    ))}
  </div>
)
