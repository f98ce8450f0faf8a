import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { Select } from '../ui/form/controls.tsx'
import { FieldRow } from '../ui/form/field.tsx'
import { FormField } from '../ui/form/form.tsx'

const languages = [
  'en',
  'en-GB',
  'en-US',
  'de',
  'de-AT',
  'de-CH',
  'fr',
  'fr-CH',
  'it',
  'es',
  'nl',
  'pl',
  'pt',
  'sv',
  'ja',
]

/** Returns the options of a list with a value that it may lack, and one for no value. */
const optionsOf = (
  values: readonly string[],
  current: string | null,
  label: (value: string) => string,
  none: string | undefined,
) => {
  const all = current === null || values.includes(current) ? values : [current, ...values]
  return [
    ...(none === undefined ? [] : [{ value: '', label: none }]),
    ...all.map((value) => ({ value, label: label(value) })),
  ]
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' })

/** UTC is a zone, but not in the list of the browser. */
const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

/** Choices of time zone and language. @param none label of no own choice, if there may be none */
export function LocaleFields<Input extends FieldValues, Output>({
  form,
  names,
  current,
  none,
}: {
  form: UseFormReturn<Input, unknown, Output>
  names: { timezone: Path<Input>; locale: Path<Input> }
  current: { timezone: string | null; locale: string | null }
  none?: string
}) {
  const empty = none === undefined ? 'text' : 'null'
  return (
    <FieldRow>
      <FormField form={form} name={names.timezone} label="Time zone" empty={empty}>
        <Select options={optionsOf(timeZones, current.timezone, (zone) => zone.replaceAll('_', ' '), none)} />
      </FormField>
      <FormField form={form} name={names.locale} label="Language" empty={empty}>
        <Select
          options={optionsOf(languages, current.locale, (tag) => `${languageNames.of(tag) ?? tag} (${tag})`, none)}
        />
      </FormField>
    </FieldRow>
  )
}
