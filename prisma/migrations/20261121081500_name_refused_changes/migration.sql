-- As `restrict_violation` Prisma reported these errors as broken foreign keys, without their words; as plain exceptions it keeps them.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% rows are immutable: write a new version', TG_TABLE_NAME;
END $$;

CREATE OR REPLACE FUNCTION refuse_late_part() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  written_now boolean;
BEGIN
  IF TG_TABLE_NAME = 'Chapter' THEN
    SELECT v.xmin = pg_current_xact_id()::xid INTO written_now
      FROM "TemplateVersion" v WHERE v."id" = NEW."templateVersionId";
  ELSE
    SELECT v.xmin = pg_current_xact_id()::xid INTO written_now
      FROM "Chapter" c JOIN "TemplateVersion" v ON v."id" = c."templateVersionId" WHERE c."id" = NEW."chapterId";
  END IF;
  -- Null: there is no such version; its foreign key says so.
  IF NOT written_now THEN
    RAISE EXCEPTION '% rows belong to an immutable version: write a new version', TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
