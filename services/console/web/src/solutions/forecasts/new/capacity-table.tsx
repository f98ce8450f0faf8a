import { useEffect } from 'react'
import { useFieldArray } from 'react-hook-form'
import { Button, Icon } from '../../../ui/button/button.tsx'
import { Input } from '../../../ui/form/controls.tsx'
import { FieldGroup } from '../../../ui/form/field.tsx'
import { errorOf, FormField } from '../../../ui/form/form.tsx'
import type { FormProps } from './forecast-form.ts'
import styles from './new-forecast.module.css'
import { useGroupValues } from './use-schema.ts'

/** The capacity of all groups, or of each: a table of groups and numbers. */
export function CapacityTable({ form }: FormProps) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'capacities' })
  const [what, sourceId, groupBy, columns] = form.watch(['what', 'data_source_id', 'group_by', 'more_values'])
  const field = what === 'file' && groupBy.length === 1 && columns.length === 0 ? groupBy[0] : undefined
  const { data: values } = useGroupValues(sourceId, field)
  const known = values ?? (groupBy.length === 0 ? columns : undefined)
  const { setValue, getValues } = form
  useEffect(() => {
    if (known === undefined) return
    const rows = getValues('capacities')
    const missing = known.filter((group) => !rows.some((row) => row.group === group))
    if (missing.length > 0)
      setValue('capacities', [
        ...rows.filter(({ value }) => value !== ''),
        ...missing.map((group) => ({ group, value: '' })),
      ])
  }, [known, setValue, getValues])
  const hasGroups = what === 'paste' || groupBy.length > 0 || columns.length > 0
  return (
    <>
      <FormField
        form={form}
        name="capacity"
        label={hasGroups ? 'Capacity of each group' : 'Capacity'}
        hint="How many fit in. The forecast stays at or below it, and you are warned of days that may be full."
        isOptional
      >
        <Input inputMode="decimal" className={styles.number} />
      </FormField>
      {hasGroups && (
        <FieldGroup
          label="Capacity by group"
          hint={
            groupBy.length > 1
              ? `Write a group as ${groupBy.join('/')}. Numbers here replace the one above.`
              : 'Numbers here replace the one above.'
          }
          error={errorOf(form, 'capacities')}
        >
          {fields.length > 0 && (
            <table className={styles.capacities}>
              <thead>
                <tr>
                  <th scope="col">Group</th>
                  <th scope="col">Capacity</th>
                  <th scope="col">
                    <span className="visually-hidden">Remove</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {fields.map(({ id, group }, row) => (
                  <tr key={id}>
                    <td>
                      <Input aria-label={`Group ${row + 1}`} {...form.register(`capacities.${row}.group`)} />
                    </td>
                    <td>
                      <Input
                        inputMode="decimal"
                        aria-label={`Capacity of ${group || `group ${row + 1}`}`}
                        {...form.register(`capacities.${row}.value`)}
                      />
                    </td>
                    <td>
                      <Button
                        variant="quiet"
                        aria-label={`Remove ${group || `group ${row + 1}`}`}
                        onClick={() => remove(row)}
                      >
                        <Icon name="close" size={14} />
                      </Button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          <div>
            <Button size="small" onClick={() => append({ group: '', value: '' })}>
              Add a group
            </Button>
          </div>
        </FieldGroup>
      )}
    </>
  )
}
