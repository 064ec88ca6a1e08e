export const RecipeDrawing = () => (
  <svg className="recipe-drawing" viewBox="0 0 520 600" aria-hidden="true">
    <path className="recipe-cone drawn" d="M132 250 260 588 388 250z" />
    <path
      className="drawn"
      d="M176 250 288 514M232 250 314 446M290 250 344 370M344 250 232 514M288 250 206 446M230 250 176 370"
    />
    <g className="isolated">
      <path
        className="plate-one"
        d="M64 226a126 126 0 0 1 252 0a21 30 0 0 1-42 0a21 58 0 0 1-42 0a21 26 0 0 1-42 0a21 44 0 0 1-42 0a21 24 0 0 1-42 0a21 66 0 0 1-42 0z"
      />
      <path
        className="plate-two"
        d="M204 232V169H225V148H246V127H267V106H288V106H309V106H330V106H351V106H372V106H393V127H414V148H435V169H456V232V274H435V274H414V232H393V253H372V295H351V295H330V253H309V232H288V274H267V232H246V253H225V232H204z"
      />
    </g>
    <path className="recipe-scribble drawn" d="M104 116c-40-30-18-86 22-74s14 66-18 52 8-84 52-74 28 58 4 52" />
    <path className="recipe-scribble drawn" d="M398 66h34v-34h34v68h-34v34h34" />
  </svg>
);
