/**
 * Control words of models, such as `<|im_end|>` or `[img-0]`: text that a server or a tokeniser takes for a mark of its own.
 *
 * In the text of a deck they are words like others. On the way to a model they get another first sign ({@link defused}), which makes them
 * plain text for every tokeniser, and in its answer they get their own back ({@link restored}), so that a quote of them is verbatim.
 */

/** Tags that are tokens of widespread models. */
const TAGS =
  's|bos|eos|pad|unk|mask|cls|sep|sop|eop|eot|eod|sys|image|img|video|audio|box|ref|quad|img_context|im_start|im_end|im_sep|im_patch|endoftext|think|thinking|tools|tool_calls?|tool_responses?|tool_results?|function_calls?|function_responses?|repo_name|file_sep|file_separator|global-img|fake_token_around_image';
/** Words in brackets that are tokens; tokenisers tell capitals apart. */
const BRACKETED =
  'INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|MODEL_SETTINGS|THINK|IMG|IMG_BREAK|IMG_END|AUDIO|BEGIN_AUDIO|ARGS|CALL_ID|PREFIX|MIDDLE|SUFFIX|BOS|EOS|PAD|UNK|CLS|SEP|MASK|gMASK|sMASK';
/** One word between bars. */
const WORD = String.raw`[^\s<>|｜\[\]‹›⁅⁆]{1,64}`;

/** Text after `<` in a control word. */
const AFTER_ANGLE = [
  // <|im_end|>, <|channel>, <channel|>, <｜end▁of▁sentence｜>
  `[|｜]${WORD}[|｜]?>`,
  String.raw`/?[A-Za-z_]{1,40}[|｜]>`,
  // <s>, </s>, <image>, <<SYS>>
  `/?(?:${TAGS}|${TAGS.toUpperCase()})>`,
  // <start_of_image>, <end_of_turn>, <image_soft_token>, <fim_prefix>, <image_1>, <unused7>, <seed:bos>, <0x0A>
  String.raw`/?(?:start|end|begin)_of_\w{1,40}>`,
  String.raw`/?\w{1,40}_token(?:_?\d+)?>`,
  String.raw`(?:fim|reserved|special|extra_id|image|img|audio|video|row)_\w{1,40}>`,
  'unused_?[0-9]*>',
  String.raw`/?seed:[\w:]{1,40}>`,
  '0x[0-9A-F]{2}>',
].join('|');
/** Text after `[`. */
const AFTER_BRACKET = [
  // [img-0], the place of a picture
  String.raw`(?:img|image|audio|video)-?\d+\]`,
  // [INST], [/INST]
  String.raw`/?(?:${BRACKETED})\]`,
  // [|endofturn|]
  String.raw`[|｜]${WORD}[|｜]\]`,
].join('|');

const CONTROL_WORD = new RegExp(String.raw`<(?:${AFTER_ANGLE})|\[(?:${AFTER_BRACKET})`, 'gu');
const BEGINNING = new RegExp(String.raw`<(?=${AFTER_ANGLE})|\[(?=${AFTER_BRACKET})`, 'gu');
/** A model that copies the sign at the beginning may close with its counterpart. */
const DEFUSED = /‹([^‹›<>\n]{1,80})[>›]|⁅([^⁅⁆[\]\n]{1,80})[\]⁆]/gu;

/** The control words of a text as they stand there, each once. */
export const controlWordsIn = (text: string): string[] => [...new Set(text.match(CONTROL_WORD))];

/** The text with every control word as plain text. What has none is unchanged. */
export const defused = (text: string): string => text.replaceAll(BEGINNING, (sign) => (sign === '<' ? '‹' : '⁅'));

/**
 * An answer with the words of its prompt as they were before {@link defused}.
 *
 * @param prompt as it was sent: the same signs in an answer may be the model's own, such as `‹quotation marks›`
 */
export const restored = (answer: string, prompt: string): string =>
  answer.replaceAll(DEFUSED, (all, angle: string | undefined, bracket: string | undefined) => {
    if (angle !== undefined) return prompt.includes(`‹${angle}>`) ? `<${angle}>` : all;
    return prompt.includes(`⁅${bracket}]`) ? `[${bracket}]` : all;
  });
