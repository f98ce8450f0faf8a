import { type SignInPolicy, SignInPolicyPatch } from '@wp/contracts'
import { useFieldArray } from 'react-hook-form'
import type { z } from 'zod'
import { RoleSelect } from '../../members/role-select.tsx'
import { useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Button, Icon } from '../../ui/button/button.tsx'
import { Input } from '../../ui/form/controls.tsx'
import { FieldGroup } from '../../ui/form/field.tsx'
import { errorOf, Form, FormField } from '../../ui/form/form.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { Callout, ErrorMessage, Skeleton } from '../../ui/message/message.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card, Cluster } from '../../ui/page/page.tsx'
import { policyQuery, useSignInPolicy } from './queries.ts'
import styles from './roles-card.module.css'

type Policy = z.infer<typeof SignInPolicy>

/** The roles of members that come from the company: a default one, and those of groups. */
export function RolesCard() {
  const { data, error, refetch } = useSignInPolicy()
  return (
    <Card
      title="Roles"
      description="The roles of members who come from the company. Changes apply at once, except to owners."
    >
      {error && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        !error && <Skeleton height="12rem" />
      ) : (
        <RolesForm key={data.updated_at ?? 'default'} policy={data} />
      )}
    </Card>
  )
}

function RolesForm({ policy }: { policy: Policy }) {
  const { api, refresh } = useWorkspace()
  const canChange = useCan()('auth:admin')
  const { form, ...state } = useApiForm({
    schema: SignInPolicyPatch,
    defaultValues: {
      default_role: policy.default_role,
      group_roles: policy.group_roles.map(({ group, role }) => ({ group, role })),
    },
    onSubmit: async (body) => {
      await api.auth.updateSignInPolicy({ body })
      await refresh(policyQuery)
      showSuccess('Saved the roles')
    },
  })
  const { fields, append, remove, move } = useFieldArray({ control: form.control, name: 'group_roles' })
  if (!canChange) return <RolesText policy={policy} />
  return (
    <Form {...state} submitLabel="Save roles">
      <FormField
        form={form}
        name="default_role"
        label="Role of everyone else"
        hint="Of members who are in no group below."
      >
        <RoleSelect current={policy.default_role} without="owner" />
      </FormField>
      <FieldGroup
        label="Roles of groups"
        hint="Write a group as your directory names it. A member of several gets the role of the first."
        error={errorOf(form, 'group_roles')}
      >
        {fields.length > 0 && (
          <ol className={styles.rows}>
            {fields.map(({ id, role }, row) => {
              const name = `group ${row + 1}`
              return (
                <li key={id}>
                  <Input
                    aria-label={`Name of ${name}`}
                    maxLength={256}
                    {...form.register(`group_roles.${row}.group`)}
                  />
                  <RoleSelect
                    aria-label={`Role of ${name}`}
                    current={role}
                    without="owner"
                    {...form.register(`group_roles.${row}.role`)}
                  />
                  <Cluster>
                    <Button
                      variant="quiet"
                      aria-label={`Move ${name} up`}
                      disabled={row === 0}
                      onClick={() => move(row, row - 1)}
                    >
                      Up
                    </Button>
                    <Button variant="quiet" aria-label={`Remove ${name}`} onClick={() => remove(row)}>
                      <Icon name="close" size={14} />
                    </Button>
                  </Cluster>
                </li>
              )
            })}
          </ol>
        )}
        <div>
          <Button size="small" onClick={() => append({ group: '', role: policy.default_role })}>
            Add a group
          </Button>
        </div>
      </FieldGroup>
    </Form>
  )
}

/** The roles for someone who may not change them. */
const RolesText = ({ policy: { default_role: fallback, group_roles: groups } }: { policy: Policy }) => (
  <>
    {groups.length > 0 && (
      <ol className={styles.rows}>
        {groups.map(({ group, role }) => (
          <li key={group}>
            <span>{group}</span>
            <span>{role}</span>
          </li>
        ))}
      </ol>
    )}
    <p>Everyone else: {fallback}</p>
    <Callout>Changing the roles needs the scope auth:admin.</Callout>
  </>
)
