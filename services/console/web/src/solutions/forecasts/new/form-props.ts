import type { UseFormReturn } from 'react-hook-form'
import type { NewForecast } from '../run-input.ts'
import type { ForecastValues } from './forecast-form.ts'

/** Props of the parts of the form. */
export interface FormProps {
  form: UseFormReturn<ForecastValues, unknown, NewForecast>
}
