/** Documents of the schedule routes. */
import { z } from '@hono/zod-openapi';
import { isDay } from '../../domain/costs/report/local-day.ts';
import { json, jsonBody, pathId, problems, route } from '../http/definition.ts';

/** What can be asked of a schedule. */
export const SCHEDULE_REQUESTS = ['trigger', 'pause', 'resume'] as const;
export const scheduleRequestSchema = z.enum(SCHEDULE_REQUESTS);
export type ScheduleRequest = z.infer<typeof scheduleRequestSchema>;

const daySchema = z.string().refine(isDay, 'must be a date such as 2026-03-29');

/** Days of a backfill, in the schedule's time zone. */
export const backfillSchema = z.strictObject({
  from: daySchema.openapi({ description: 'First day on which something was due.' }),
  to: daySchema.openapi({ description: 'Last day, included.' }),
});

const runSchema = z.object({
  /** When it was due. */
  scheduledAt: z.iso.datetime(),
  startedAt: z.iso.datetime(),
  workflowId: z.string(),
  /** running, completed, failed …; null when the server keeps nothing of it any more. */
  status: z.string().nullable(),
});

export const scheduleSchema = z
  .object({
    id: z.string(),
    /** What it does. */
    what: z.string(),
    paused: z.boolean(),
    /** Reason, as written at the pause. */
    note: z.string().nullable(),
    /** For those that run at an interval; null for those that run by the calendar. */
    everyMs: z.number().nullable(),
    /** IANA; of the calendar. */
    timezone: z.string(),
    nextTimes: z.array(z.iso.datetime()),
    /** The last runs, newest first. */
    recent: z.array(runSchema),
    /** Times that were missed for longer than is caught up on. */
    missed: z.int(),
    /** Times at which the run before was still going on. */
    skipped: z.int(),
  })
  .openapi('Schedule');
export type ScheduleDocument = z.infer<typeof scheduleSchema>;

export const scheduleListSchema = z.object({ items: z.array(scheduleSchema) }).openapi('ScheduleList');

export const listRoute = route('get', '/schedules', {
  summary: 'All schedules: next times, last results, missed runs.',
  responses: { 200: json(scheduleListSchema, 'All of them, by id.'), ...problems(503) },
});

export const askRoute = route('post', '/schedules/{id}/{request}', {
  summary: 'Trigger (once, now), pause or resume a schedule.',
  description: 'A paused schedule stays paused until it is resumed, also over restarts.',
  request: { params: z.object({ id: pathId, request: scheduleRequestSchema }) },
  responses: { 200: json(scheduleSchema, 'How it is now.'), ...problems(400, 404, 503) },
});

export const backfillRoute = route('post', '/schedules/{id}/backfill', {
  summary: 'Run what was due on some days; each report covers its own period.',
  request: { params: z.object({ id: pathId }), body: jsonBody(backfillSchema) },
  responses: {
    200: json(scheduleSchema, 'The backfill has begun. The schedule as it is now.'),
    ...problems(400, 404, 503),
  },
});
