import type { jobErrorCodes } from '@wp/contracts'

/** The cause of an error of a job, in Markdown of one line, and one occurrence of it. */
interface JobErrorNote {
  note: string
  message: string
  retryable: boolean
}

const permanent = (note: string, message: string): JobErrorNote => ({ note, message, retryable: false })
const temporary = (note: string, message: string): JobErrorNote => ({ note, message, retryable: true })

export const jobErrorNotes: Readonly<Record<(typeof jobErrorCodes)[number], JobErrorNote>> = {
  caller_revoked: permanent(
    'While the job waited or ran, its caller lost the access that the job needs: the key was deleted, the member removed, or a scope withdrawn.',
    'The caller who started the job may no longer act in the workspace',
  ),
  lease_lost: temporary(
    'The processes that ran the job ended three times without any progress between, or thirty times in all.',
    'The job was interrupted too often',
  ),
  no_data: permanent(
    'Of the rows of the data source, none has both a time and a number in the named columns. A source without rows has none either.',
    'The data source has no row with a time in "ts" and a number in "people"',
  ),
  unreadable_times: permanent(
    'The values of the time column were read as times, and every one failed. The message shows one of them.',
    "`day` holds no times: '5 Jan'. State their format in timestamp_format, for example `DD.MM.YYYY HH:mm`",
  ),
  unreadable_values: permanent(
    'The values of the value column were read as numbers, and every one failed. The message shows one of them.',
    "`people` holds no numbers: '1.234,5'",
  ),
  too_few_usable_rows: permanent(
    'So many rows have an unusable time or value that the forecast would rest on the others by chance. The message has the three most frequent reasons, each with the number of rows and an example. Empty values do not count.',
    "Only 394 of 744 rows (52.9 %) can be used, and `min_usable_share` is 95 %. 350 rows: `time` holds no time of the format `MM/DD/YYYY HH:mm`: '13/01/2024 00:00'.",
  ),
  several_places: permanent(
    'With the `aggregation` `max`, many times have several different values, as those of two buildings: the highest value would be that of one of them. The message shows an example.',
    '70 of 70 times have several different values, such as 150 and 20 at 2024-01-08T09:00:00, and the `aggregation` `max` would use only the highest: …',
  ),
  too_many_rows: permanent(
    'The data source has more rows than one forecast reads. Each column of a list in `value_field` counts as many rows.',
    'A run can use at most 1000000 rows of a data source',
  ),
  too_many_series: permanent(
    'The number of groups times the horizon is above the limit of a run. Groups are the different values of `group_by`.',
    'A run forecasts at most 100000 points: ask for fewer groups or a shorter horizon',
  ),
  value_too_large: permanent(
    'A space or team has more people on a day than a forecast takes, as when a number of a badge is read as a count.',
    '"Berlin" has 10003456 people on 2026-03-02, and a forecast takes 4000000 at most: correct its datasets.',
  ),
  timezone_unknown: permanent(
    'The time zone is not a name of the IANA database. Abbreviations such as `CET+1` and offsets are not names.',
    '"Berlin" is not a known time zone.',
  ),
  holiday_invalid: permanent(
    'No holidays are known of the country, or of the part of it, or the time is too long.',
    'No holidays are known for the country "XX".',
  ),
  horizon_invalid: permanent(
    'The number of steps to forecast is zero, negative or not whole.',
    'The horizon must be a whole number of steps, 1 or more.',
  ),
  config: permanent(
    'The source cannot be read with its configuration: an address without anything, a query that fails, a missing bucket, a paused source, or an integration that no longer exists.',
    'https://example.com/rooms.csv answered 404: there is nothing at this address',
  ),
  auth: permanent(
    'The other system answered 401 or 403, or refused the password. Also if the integration is disconnected, or if the caller of the sync may no longer write data.',
    'https://example.com/rooms.csv answered 401: it does not accept the credentials',
  ),
  transient: temporary(
    'The other system was overloaded, unreachable, or too slow, and several attempts did not help.',
    'https://example.com/rooms.csv answered 503 and asks to retry after 120 s',
  ),
  schema: permanent(
    'The content does not have the form that the configuration describes: a file that cannot be parsed, or a column that the query does not return.',
    'The query returns no column "updated_at", the cursor_field',
  ),
  system: temporary(
    'An error that is not the fault of the source. It was logged, and the operator can find it by the id of the job.',
    'Something went wrong on our side',
  ),
  run_interrupted: temporary(
    'The process that ran the agent ended while the answer was being written. An answer is not written twice, so the run does not continue.',
    'The run was interrupted after it had begun to answer',
  ),
  run_timeout: temporary(
    'The run took longer than its `timeout_ms`, or a tool call waited seven days for an approval.',
    'The run did not end within its `timeout_ms`',
  ),
  token_limit_reached: permanent(
    'The answers and graders of the evaluation have used the tokens of its `max_tokens` before every case had a result.',
    'The limit of 2000000 tokens is used up; cases without a result remain',
  ),
  scenario_timeout: permanent(
    'A solver looks for places of all teams on each weekday, and found none within `time_limit_seconds`, nor that there are none.',
    'No places were found within the time limit.',
  ),
  model_unavailable: permanent(
    'The provider of the language model could not be reached, was overloaded, or broke off its answer.',
    'api.model.example cannot be reached, or stopped answering: connect ECONNREFUSED',
  ),
  model_rejected: permanent(
    'The provider of the language model refused the request, or the model cannot be used: for example an unknown model, or one that the integration does not allow.',
    'The integration does not allow the model gpt-large',
  ),
  export_too_large: permanent(
    'The records of the time range make a larger file than one export may have.',
    'The content exceeds 1073741824 bytes: export a shorter time range, or fewer records with filters',
  ),
  subscription_removed: permanent(
    'The subscription was deleted while its deliveries were being sent again. Deliveries that were queued before were cancelled.',
    'The subscription was removed',
  ),
  subscription_disabled: permanent(
    'The subscription was disabled while its deliveries were being sent again, by a person or because its endpoint failed for too long.',
    'The subscription was disabled; enable it and start another replay',
  ),
}
