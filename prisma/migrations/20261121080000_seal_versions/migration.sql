-- A template version is whole when it is written: chapters and questions are added in the transaction that writes the version, never later.
CREATE FUNCTION refuse_late_part() RETURNS trigger LANGUAGE plpgsql AS $$
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
    RAISE EXCEPTION '% rows belong to an immutable version: write a new version', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER chapter_sealed BEFORE INSERT ON "Chapter" FOR EACH ROW EXECUTE FUNCTION refuse_late_part();
CREATE TRIGGER question_sealed BEFORE INSERT ON "Question" FOR EACH ROW EXECUTE FUNCTION refuse_late_part();
