import type { ErrorCode } from './error.ts'

interface JobErrorDeclaration {
  title: string
  /** Advice for the user, shown on the documentation page of the error. */
  help: string
}

const jobError = (title: string, help: string): JobErrorDeclaration => ({ title, help })

/**
 * The catalogue of job errors: the codes of `error` of a failed job that are not in the error catalogue. A job also
 * fails with codes of the error catalogue, such as `not_found` of a data source that was deleted before the job ran.
 */
export const jobErrors = {
  caller_revoked: jobError(
    'The caller may no longer act in the workspace',
    'Start the job again with a valid credential.',
  ),
  lease_lost: jobError('The job was interrupted too often', 'Start the job again.'),
  no_data: jobError(
    'The data source has no usable row',
    'Name columns in which some row has both a time and a number.',
  ),
  unreadable_times: jobError(
    'The column for the times holds no times',
    'Name another column in `timestamp_field`, or state the format of its times in `timestamp_format`.',
  ),
  unreadable_values: jobError(
    'The column for the values holds no numbers',
    'Name another column in `value_field`. Numbers are written as in JSON: `1234.5`.',
  ),
  too_few_usable_rows: jobError(
    'Too few rows can be used',
    'Correct the rows or columns that the message names, or allow a smaller share with `min_usable_share`.',
  ),
  several_places: jobError(
    'The highest value is that of one place only',
    'Name the column that tells the places apart in `group_by`.',
  ),
  too_many_rows: jobError('The data source has too many rows', 'Forecast from a data source with fewer rows.'),
  too_many_series: jobError('The forecast has too many points', 'Ask for fewer groups or a shorter horizon.'),
  value_too_large: jobError('A value is too large to be forecast', 'Correct the value that the message names.'),
  timezone_unknown: jobError('The time zone is not known', 'Use an IANA time zone, for example Europe/Berlin.'),
  holiday_invalid: jobError('Holidays are not known', 'Use an ISO 3166 code of a country, or of a part of it.'),
  horizon_invalid: jobError('The horizon is not valid', 'Use a whole number of steps, 1 or more.'),
  config: jobError('The data source is not set up correctly', 'Correct the config named in the message.'),
  auth: jobError('The data source refused the credentials', 'Correct the credentials of the integration.'),
  transient: jobError('The data source was not available', 'Start the sync again later; schedules do so.'),
  schema: jobError('The data could not be read', 'Correct the data, or the config that describes it.'),
  system: jobError('Something went wrong on our side', 'Start the sync again.'),
  run_interrupted: jobError('The run was interrupted after it had begun to answer', 'Start the run again.'),
  run_timeout: jobError('The run did not end in time', 'Allow more time with `timeout_ms`, or ask for less.'),
  scenario_timeout: jobError(
    'No places were found in time',
    'Allow more time with `time_limit_seconds`, or plan a part of the building.',
  ),
  token_limit_reached: jobError(
    'The tokens of the evaluation are used up',
    'Allow more with `max_tokens`, or evaluate fewer cases.',
  ),
  model_unavailable: jobError('The model was not available', 'Start the run again later.'),
  model_rejected: jobError('The model provider rejected the request', 'Correct what the message names.'),
  export_too_large: jobError(
    'The content of the export is too large',
    'Export a shorter time range, or fewer records with `filters`.',
  ),
  subscription_removed: jobError('The webhook was removed', 'Create it again to receive further events.'),
  subscription_disabled: jobError('The webhook was disabled', 'Enable it and start another replay.'),
} as const satisfies Record<string, JobErrorDeclaration>

/** A code of the catalogue of job errors. */
type OwnJobErrorCode = keyof typeof jobErrors

/** Every code that only jobs have. */
export const jobErrorCodes = Object.keys(jobErrors) as OwnJobErrorCode[] // the keys of a constant object are exactly its declared names

/** The stable code of the error of a failed job. */
export type JobErrorCode = OwnJobErrorCode | ErrorCode
